//===- MeasuredCopies.cpp - What a report says of a measured run ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MeasuredCopies.h.
//
//===----------------------------------------------------------------------===//
#include "Report/MeasuredCopies.h"
#include "Report/JsonObjects.h"
#include "Report/ReportText.h"
#include "runtime/abi/ReportWords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include <cmath>

using namespace llvm;

namespace echo {

static constexpr StringLiteral NotMeasured = "not measured";

namespace {
struct UnmeasuredInfo {
  StringLiteral Id, Text;
};
} // namespace

static constexpr UnmeasuredInfo UnmeasuredInfos[] = {
#define ECHO_UNMEASURED(Enum, Id, Text) {Id, Text},
#include "Support/Unmeasured.def"
};

static const UnmeasuredInfo &infoOf(Unmeasured Why) {
  return UnmeasuredInfos[static_cast<size_t>(Why)];
}

/// "not measured (WHY: 12:5, 16:5; WHY: 20:3)".
static std::string missingText(const MeasuredCopies &M, StringRef InFile) {
  std::vector<std::string> Reasons;
  for (size_t I = 0; I < std::size(UnmeasuredInfos); ++I) {
    std::vector<std::string> Places;
    for (const UnmeasuredCopy &Copy : M.Missing)
      if (static_cast<size_t>(Copy.Why) == I)
        Places.push_back(placeText(Copy.Place, InFile));
    if (!Places.empty())
      Reasons.push_back(
          (UnmeasuredInfos[I].Text + ": " + join(Places, ", ")).str());
  }
  return (NotMeasured + " (" + join(Reasons, "; ") + ")").str();
}

std::string measuredText(const MeasuredCopies &M, StringRef InFile) {
  if (!M.isMeasured())
    return missingText(M, InFile);
  std::string Often;
  raw_string_ostream(Often)
      << format(M.PerIteration < 100 ? "%.3g" : "%.0f", M.PerIteration);
  std::string Text = formatv(
      "{0} {1} an iteration: {2} in {3}", Often,
      Often == "1" ? "copy" : "copies",
      sizeText(static_cast<uint64_t>(std::llround(M.Bytes))), timeText(M.Ns));
  const std::optional<double> Bound = M.bound();
  Text += Bound ? formatv("; without them the loop is at most {0:F2} times as "
                          "fast",
                          *Bound)
                      .str()
                : "; they take all of the loop";
  if (!M.Missing.empty())
    Text += formatv("; {0} of {1} copies {2}", M.Missing.size(), M.Copies,
                    missingText(M, InFile));
  return Text;
}

std::optional<MeasuredCopies> measuredFromText(StringRef Text) {
  MeasuredCopies M;
  M.Copies = 1;
  if (Text.starts_with(NotMeasured)) {
    M.Missing.emplace_back();
    return M;
  }
  static const Regex Form(
      "^[0-9.e-]+ cop(y|ies) an iteration: ([0-9.]+) ([KMGTP]?i?B) in "
      "([0-9.]+) (s|ms|us);");
  SmallVector<StringRef, 6> Found;
  if (!Form.match(Text, &Found))
    return std::nullopt;
  const std::optional<double> Bytes = readSizeText(Found[2], Found[3]);
  const std::optional<double> Ns = readTimeText(Found[4], Found[5]);
  if (!Bytes || !Ns)
    return std::nullopt;
  M.Bytes = *Bytes;
  M.Ns = *Ns;
  return M;
}

json::Object measuredToJson(const MeasuredCopies &M) {
  json::Array Missing;
  for (const UnmeasuredCopy &Copy : M.Missing)
    Missing.push_back(json::Object{{"file", json::fixUTF8(Copy.Place.File)},
                                   {"line", Copy.Place.Line},
                                   {"column", Copy.Place.Column},
                                   {"why", infoOf(Copy.Why).Id}});
  json::Object O{{"copies", M.Copies}, {"not_measured", std::move(Missing)}};
  if (!M.isMeasured())
    return O;
  const std::optional<double> Bound = M.bound();
  O["copies_per_iteration"] = M.PerIteration;
  O["bytes_per_iteration"] = M.Bytes;
  O["ns_per_iteration"] = M.Ns;
  O["loop_fraction"] = M.Fraction;
  O["speedup_bound"] = Bound ? json::Value(*Bound) : json::Value(nullptr);
  return O;
}

std::optional<MeasuredCopies> measuredOf(const json::Object &Pair) {
  const json::Object *O = Pair.getObject("measured");
  if (!O)
    return std::nullopt;
  MeasuredCopies M;
  M.Copies = static_cast<unsigned>(O->getInteger("copies").value_or(0));
  M.PerIteration = O->getNumber("copies_per_iteration").value_or(0);
  M.Bytes = O->getNumber("bytes_per_iteration").value_or(0);
  M.Ns = O->getNumber("ns_per_iteration").value_or(0);
  M.Fraction = O->getNumber("loop_fraction").value_or(0);
  eachObject(*O, "not_measured", [&](const json::Object &Copy) {
    UnmeasuredCopy &Each = M.Missing.emplace_back();
    Each.Place = {textIn(Copy, "file").str(),
                  static_cast<unsigned>(Copy.getInteger("line").value_or(0)),
                  static_cast<unsigned>(Copy.getInteger("column").value_or(0))};
    const auto *Info = find_if(UnmeasuredInfos, [&](const UnmeasuredInfo &I) {
      return I.Id == textIn(Copy, "why");
    });
    if (Info != std::end(UnmeasuredInfos))
      Each.Why = static_cast<Unmeasured>(Info - UnmeasuredInfos);
  });
  return M;
}

} // namespace echo
