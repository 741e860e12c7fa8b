//===- Results.cpp - What was seen of each pair, at exit ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes, when the program ends, a text for people (ECHO_CHECK_REPORT, or the
// error stream) and a JSON file for programs (ECHO_CHECK_JSON), in the order
// and with the places of the static report. A pair is "safe" only if two of its
// buffers met, all that was seen fits a merge, and nothing was out of sight.
//
//===----------------------------------------------------------------------===//
#include "runtime/check/Lock.h"
#include "runtime/check/Pairs.h"

#include <cerrno>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace echo::check;

namespace {
enum class Result { Safe, Refuted, NotFollowed, NotRun };
}

static Result resultOf(const Pair &P) {
  if (P.Found)
    return Result::Refuted;
  if (!P.NotFollowed.empty())
    return Result::NotFollowed;
  return P.NumBlocks && P.Total.Links ? Result::Safe : Result::NotRun;
}

static const char *nameOf(Result R) {
  switch (R) {
  case Result::Safe:
    return "safe";
  case Result::Refuted:
    return "refuted";
  case Result::NotFollowed:
    return "not-followed";
  case Result::NotRun:
    return "not-run";
  }
  return "";
}

static std::string format(const char *Text, ...) {
  va_list Args, Again;
  va_start(Args, Text);
  va_copy(Again, Args);
  const int Length = vsnprintf(nullptr, 0, Text, Args);
  std::string Out(Length > 0 ? size_t(Length) : 0, '\0');
  vsnprintf(Out.data(), Out.size() + 1, Text, Again);
  va_end(Again);
  va_end(Args);
  return Out;
}

static std::string placeText(const Place *P) {
  return P && P->line ? format("%u:%u", P->line, P->column) : "-";
}

static unsigned percent(uint64_t Part, uint64_t Whole) {
  return Whole ? unsigned(Part * 100 / Whole) : 0;
}

static std::string sizeText(uint64_t Bytes) {
  if (Bytes < 10240)
    return format("%" PRIu64 " B", Bytes);
  if (Bytes < uint64_t(10240) * 1024)
    return format("%.1f KiB", double(Bytes) / 1024);
  return format("%.1f MiB", double(Bytes) / (1024 * 1024));
}

static std::string siteText(const Pair &P, Slot S) {
  const char *Name = S == HostSlot ? P.Static->hostName : P.Static->deviceName;
  const Site &At = *P.Sites[S];
  return format("%s:%u:%u%s%s", At.File.c_str(), At.Line, At.Column,
                Name ? " " : "", Name ? Name : "");
}

static std::string textOf(const Pair &P) {
  std::string Text = siteText(P, HostSlot) + " + " + siteText(P, DeviceSlot) +
                     "   " + P.Static->verdict;
  if (P.Static->reason)
    Text += std::string(" (") + P.Static->reason + ")";
  Text += "   ";
  const Counts &C = P.Total;
  switch (resultOf(P)) {
  case Result::Safe:
    Text += format("safe in this run: %" PRIu64 " %s, %" PRIu64
                   " copies between them\n",
                   P.NumBlocks, P.NumBlocks == 1 ? "block" : "blocks", C.Links);
    break;
  case Result::Refuted:
    Text += format("refuted: %s\n", P.Found->Condition);
    for (const Act &A : P.Found->Because)
      Text += format("    %-7s%s\n", placeText(A.At).c_str(), A.What.c_str());
    break;
  case Result::NotFollowed:
    Text += "not followed\n";
    for (const Act &A : P.NotFollowed)
      Text += format("    %-7s%s\n", placeText(A.At).c_str(), A.What.c_str());
    break;
  case Result::NotRun:
    return Text + "not seen in this run: no copy between the two was made\n";
  }
  for (Slot S : {HostSlot, DeviceSlot})
    Text += format("    seen   %s: %" PRIu64 " accesses, %s, %u %% of %s\n",
                   P.name(S), C.Accesses[S], sizeText(C.Bytes[S]).c_str(),
                   percent(C.Touched[S], C.Size), sizeText(C.Size).c_str());
  if (C.EqualBytes)
    Text += format("    note   %s were read that the other side had written "
                   "since, with equal values\n",
                   sizeText(C.EqualBytes).c_str());
  return Text;
}

//===- JSON ---------------------------------------------------------------===//

static std::string quoted(const char *Text) {
  if (!Text)
    return "null";
  std::string Out = "\"";
  for (; *Text; ++Text) {
    auto C = static_cast<unsigned char>(*Text);
    if (C == '"' || C == '\\')
      Out += '\\';
    Out += C < 0x20 ? format("\\u%04x", C) : std::string(1, char(C));
  }
  return Out + "\"";
}

static std::string jsonPlace(const char *File, uint32_t Line, uint32_t Column) {
  if (!Line)
    return "\"file\": null, \"line\": null, \"column\": null";
  return format("\"file\": %s, \"line\": %u, \"column\": %u",
                quoted(File).c_str(), Line, Column);
}

static std::string jsonSite(const Pair &P, Slot S) {
  const Site &At = *P.Sites[S];
  return "{ \"name\": " +
         quoted(S == HostSlot ? P.Static->hostName : P.Static->deviceName) +
         ", " + jsonPlace(At.File.c_str(), At.Line, At.Column) + " }";
}

static std::string jsonActs(const std::vector<Act> &Acts) {
  std::string Text = "[";
  for (const Act &A : Acts) {
    Text += Text.size() > 1 ? ", { " : " { ";
    Text += "\"what\": " + quoted(A.What.c_str()) + ", " +
            (A.At ? jsonPlace(A.At->file, A.At->line, A.At->column)
                  : jsonPlace("", 0, 0)) +
            " }";
  }
  return Text + " ]";
}

static std::string jsonSeen(const Counts &C, Slot S) {
  return format("{ \"accesses\": %" PRIu64 ", \"bytes\": %" PRIu64
                ", \"touched\": %" PRIu64 " }",
                C.Accesses[S], C.Bytes[S], C.Touched[S]);
}

static std::string jsonOf(const Pair &P) {
  const Result R = resultOf(P);
  const std::vector<Act> None;
  return "    { \"host\": " + jsonSite(P, HostSlot) +
         ",\n      \"device\": " + jsonSite(P, DeviceSlot) +
         ",\n      \"verdict\": " + quoted(P.Static->verdict) +
         ", \"id\": " + quoted(P.Static->reason) +
         ",\n      \"result\": " + quoted(nameOf(R)) + ", \"condition\": " +
         quoted(R == Result::Refuted ? P.Found->Condition : nullptr) +
         ",\n      \"because\": " +
         jsonActs(R == Result::Refuted       ? P.Found->Because
                  : R == Result::NotFollowed ? P.NotFollowed
                                             : None) +
         format(",\n      \"blocks\": %" PRIu64 ", \"size\": %" PRIu64
                ", \"links\": %" PRIu64 ", \"equal_bytes\": %" PRIu64,
                P.NumBlocks, P.Total.Size, P.Total.Links, P.Total.EqualBytes) +
         ",\n      \"seen\": { \"host\": " + jsonSeen(P.Total, HostSlot) +
         ", \"device\": " + jsonSeen(P.Total, DeviceSlot) + " } }";
}

static void write(const char *Path, const std::string &Text) {
  FILE *Out = Path ? fopen(Path, "we") : stderr;
  if (!Out) {
    fprintf(stderr, "echo-check: error: cannot write '%s': %s\n", Path,
            strerror(errno));
    return;
  }
  fwrite(Text.data(), 1, Text.size(), Out);
  Out == stderr ? fflush(Out) : fclose(Out);
}

static const char *variable(const char *Name) {
  const char *Value = getenv(Name);
  return Value && *Value ? Value : nullptr;
}

static const pid_t Process = getpid();

/// After the program's own destructors, which may free buffers. A child
/// process has seen half of everything and says nothing.
extern "C" __attribute__((destructor(101))) void echo_check_report(void) {
  static bool Done = false;
  if (Done || getpid() != Process)
    return;
  Done = true;
  Entry Lock;
  if (!Lock)
    return;
  finish();
  unsigned Totals[4] = {};
  std::string Text = "echo-check:\n", Json;
  for (const auto &P : pairs()) {
    Text += textOf(*P);
    Json += (Json.empty() ? "\n" : ",\n") + jsonOf(*P);
    ++Totals[unsigned(resultOf(*P))];
  }
  Text +=
      format("%zu pair%s: %u safe in this run, %u refuted, %u not followed, "
             "%u not seen\n",
             pairs().size(), pairs().size() == 1 ? "" : "s", Totals[0],
             Totals[1], Totals[2], Totals[3]);
  if (const char *Path = variable("ECHO_CHECK_JSON"))
    write(Path,
          "{ \"echo\": \"" ECHO_VERSION "\", \"pairs\": [" + Json + " ] }\n");
  write(variable("ECHO_CHECK_REPORT"), Text);
}
