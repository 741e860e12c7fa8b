//===- Estimates.cpp - What the copies of a pair move and take ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Estimates.h. Text is read back as it was printed, since several compilers
// write to a text report and none has the facts of all units.
//
//===----------------------------------------------------------------------===//
#include "Report/Estimates.h"
#include "Report/ReportText.h"
#include "runtime/abi/ReportWords.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace echo {

static constexpr StringLiteral UnknownSize = "size not known at compile time";

void addEstimates(UnitReport &Unit, const std::optional<CopyRates> &Rates) {
  for (PairReport &Pair : Unit.Pairs) {
    CopyEstimate &E = Pair.Estimate.emplace();
    for (const LinkCopy &Copy : Pair.Links) {
      ++E.Copies;
      if (!Copy.Bytes || Copy.Chosen) {
        ++E.Unknown;
        continue;
      }
      E.Bytes += *Copy.Bytes;
      if (Rates)
        E.Ns = E.Ns.value_or(0) + Rates->ns(Copy.HostToDevice, *Copy.Bytes);
    }
  }
}

std::string estimateText(const CopyEstimate &E) {
  if (E.isUnknown())
    return UnknownSize.str();
  std::string Text = sizeText(E.Bytes) + " per run of each copy";
  if (E.Ns)
    Text += ", in " + timeText(*E.Ns);
  if (E.Unknown)
    Text += ("; " + Twine(E.Unknown) + " of " + Twine(E.Copies) +
             " copies of unknown size")
                .str();
  return Text;
}

std::optional<CopyEstimate> estimateFromText(StringRef Text) {
  if (Text == UnknownSize)
    return CopyEstimate{1, 1, 0, std::nullopt};
  static const Regex Form(
      "^([0-9.]+) ([KMGTP]?i?B) per run of each copy(, in ([0-9.]+) "
      "(s|ms|us))?(; ([0-9]+) of ([0-9]+) copies of unknown size)?$");
  SmallVector<StringRef, 9> Found;
  if (!Form.match(Text, &Found))
    return std::nullopt;
  const std::optional<double> Bytes = readSizeText(Found[1], Found[2]);
  if (!Bytes)
    return std::nullopt;
  CopyEstimate E{1, 0, static_cast<uint64_t>(*Bytes), std::nullopt};
  if (!Found[3].empty())
    E.Ns = readTimeText(Found[4], Found[5]);
  if (!Found[6].empty() && (Found[7].getAsInteger(10, E.Unknown) ||
                            Found[8].getAsInteger(10, E.Copies)))
    return std::nullopt;
  return E;
}

json::Object estimateToJson(const CopyEstimate &E) {
  return json::Object{
      {"copies", E.Copies},
      {"unknown", E.Unknown},
      {"bytes", E.isUnknown() ? json::Value(nullptr) : json::Value(E.Bytes)},
      {"ns", E.Ns ? json::Value(*E.Ns) : json::Value(nullptr)}};
}

std::optional<CopyEstimate> estimateOf(const json::Object &Pair) {
  const json::Object *O = Pair.getObject("estimate");
  if (!O)
    return std::nullopt;
  CopyEstimate E;
  E.Copies = static_cast<unsigned>(O->getInteger("copies").value_or(0));
  E.Unknown = static_cast<unsigned>(O->getInteger("unknown").value_or(0));
  E.Bytes = static_cast<uint64_t>(O->getInteger("bytes").value_or(0));
  E.Ns = O->getNumber("ns");
  return E;
}

} // namespace echo
