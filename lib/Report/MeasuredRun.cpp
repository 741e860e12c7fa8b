//===- MeasuredRun.cpp - What the copies of a profiled run took -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MeasuredRun.h. Every key that is read must be there: lib/Profile/Report
// of this version writes them all.
//
//===----------------------------------------------------------------------===//
#include "Report/MeasuredRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace llvm;

namespace echo {

static constexpr StringLiteral RunAdvice =
    "; 'echo-run profile -- PROGRAM', then 'echo-run report --json > FILE' "
    "measures a run";

static bool fromJSON(const json::Value &V, RunPlace &P, json::Path Path) {
  json::ObjectMapper Map(V, Path);
  int64_t Line = 0;
  if (!Map || !Map.map("file", P.File) || !Map.map("line", Line) ||
      !Map.map("function", P.Function))
    return false;
  P.Line = static_cast<unsigned>(Line);
  if (Line > 0 && P.Line == Line)
    return true;
  Path.field("line").report("expected the number of a line");
  return false;
}

/// A number that is none of a measurement would spoil a ranking.
static bool readAmount(const json::Object &O, StringLiteral Key, double &Into,
                       json::Path Path) {
  const std::optional<double> Number = O.getNumber(Key);
  if (Number && std::isfinite(*Number) && *Number >= 0) {
    Into = *Number;
    return true;
  }
  Path.field(Key).report("expected a number that is not negative");
  return false;
}

static bool readWorth(const json::Object &Copy, RunCopy &C, json::Path Path) {
  const json::Object *Worth = Copy.getObject("worth");
  if (!Worth) {
    Path.field("worth").report("expected object");
    return false;
  }
  const json::Path At = Path.field("worth");
  if (!readAmount(*Worth, "copies_per_iteration", C.Copies, At) ||
      !readAmount(*Worth, "bytes_per_iteration", C.Bytes, At) ||
      !readAmount(*Worth, "ns_per_iteration", C.Ns, At) ||
      !readAmount(*Worth, "loop_fraction", C.Fraction, At))
    return false;
  if (C.Fraction <= 1)
    return true;
  At.field("loop_fraction").report("expected a number from 0 to 1");
  return false;
}

static bool fromJSON(const json::Value &V, RunCopy &C, json::Path Path) {
  json::ObjectMapper Map(V, Path);
  std::string Direction;
  if (!Map || !Map.map("places", C.Places) || !Map.map("built_ns", C.BuiltNs) ||
      !Map.map("direction", Direction) || !Map.map("least_bytes", C.Least) ||
      !Map.map("most_bytes", C.Most))
    return false;
  C.HostToDevice = Direction == "H2D";
  if (!C.HostToDevice && Direction != "D2H") {
    Path.field("direction").report("expected H2D or D2H");
    return false;
  }
  return readWorth(*V.getAsObject(), C, Path);
}

namespace {
struct RunPair {
  std::vector<RunCopy> Copies;
};

bool fromJSON(const json::Value &V, RunPair &P, json::Path Path) {
  json::ObjectMapper Map(V, Path);
  return Map && Map.map("copies", P.Copies);
}
} // namespace

/// What says that \p Root is of no profiled run of this version; or "".
static std::string misfit(const json::Object *Root) {
  const std::optional<StringRef> Version =
      Root ? Root->getString("echo") : std::nullopt;
  if (Version && Root->get("units"))
    return " is a report of echo-cc, not of a run";
  if (!Version || !Root->get("pairs") || !Root->get("processes"))
    return " is no report of a run";
  if (*Version != ECHO_VERSION)
    return (" was written by echo-run " + *Version +
            ", and this is echo-cc " ECHO_VERSION)
        .str();
  if (const json::Array *Pairs = Root->getArray("pairs");
      Pairs && Pairs->empty())
    return " has no pairs: no copies recurred in that run";
  return "";
}

bool looksLikeRun(StringRef Text) {
  return Text.ltrim().starts_with("{") && Text.contains("\"processes\"");
}

Expected<MeasuredRun> parseMeasuredRun(StringRef Text, StringRef File) {
  const auto Wrong = [&](const Twine &What) {
    return createStringError("'" + File + "'" + What + RunAdvice);
  };
  Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed)
    return Wrong(" is no report of a run: " + toString(Parsed.takeError()));
  const json::Object *Object = Parsed->getAsObject();
  if (const std::string What = misfit(Object); !What.empty())
    return Wrong(What);
  json::Path::Root Root("report");
  std::vector<RunPair> Pairs;
  json::ObjectMapper Map(*Parsed, Root);
  if (!Map.map("pairs", Pairs))
    return Wrong(" cannot be read: " + toString(Root.getError()));
  MeasuredRun Run;
  for (auto [I, Pair] : enumerate(Pairs))
    for (RunCopy &Copy : Pair.Copies) {
      Copy.Pair = static_cast<unsigned>(I);
      Run.Copies.push_back(std::move(Copy));
    }
  if (none_of(Run.Copies, [](const RunCopy &C) { return !C.Places.empty(); }))
    return Wrong(" has no source line of any copy: compile the program with "
                 "-g and -cudart shared, and measure it again");
  return Run;
}

Expected<MeasuredRun> readMeasuredRun(StringRef File) {
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true);
  if (!Buffer)
    return createStringError("cannot read a measured run from '" + File +
                             "': " + Buffer.getError().message() + RunAdvice);
  return parseMeasuredRun((*Buffer)->getBuffer(), File);
}

} // namespace echo
