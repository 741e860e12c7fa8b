//===- MendFirst.cpp - Which declined pairs to mend first -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MendFirst.h. A text report is ranked from its own lines, as it is added
// up (ReportTotals.cpp): by the digits that are printed there.
//
//===----------------------------------------------------------------------===//
#include "Report/MendFirst.h"
#include "Report/Estimates.h"
#include "Report/JsonObjects.h"
#include "Report/MeasuredCopies.h"
#include "Report/ReportText.h"
#include "runtime/abi/ReportWords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace echo {

MendFirst rank(std::vector<MendEntry> Pairs) {
  MendFirst First;
  const auto Others =
      std::stable_partition(Pairs.begin(), Pairs.end(),
                            [](const MendEntry &E) { return E.isMeasured(); });
  First.Measured = static_cast<size_t>(Others - Pairs.begin());
  std::stable_sort(Pairs.begin(), Others,
                   [](const MendEntry &A, const MendEntry &B) {
                     return A.Measured->Ns > B.Measured->Ns;
                   });
  const auto Known = [](const MendEntry &E) { return !E.Copies.isUnknown(); };
  const auto HasTime = [&](const MendEntry &E) {
    return E.Copies.Ns || !Known(E);
  };
  if (std::any_of(Others, Pairs.end(), Known))
    First.By = std::all_of(Others, Pairs.end(), HasTime) ? MendOrder::Time
                                                         : MendOrder::Bytes;
  const auto Cost = [&](const MendEntry &E) {
    return First.By == MendOrder::Time ? E.Copies.Ns.value_or(0)
                                       : static_cast<double>(E.Copies.Bytes);
  };
  std::stable_sort(Others, Pairs.end(),
                   [&](const MendEntry &A, const MendEntry &B) {
                     return Known(A) != Known(B) ? Known(A) : Cost(A) > Cost(B);
                   });
  First.Pairs = std::move(Pairs);
  return First;
}

MendFirst mendFirst(const json::Array &Units) {
  std::vector<MendEntry> Pairs;
  for (const json::Value &Value : Units) {
    const json::Object *Unit = Value.getAsObject();
    if (!Unit)
      continue;
    unsigned Number = 0;
    eachObject(*Unit, "pairs", [&](const json::Object &Pair) {
      const std::optional<CopyEstimate> E = estimateOf(Pair);
      if (E && textIn(Pair, "verdict") == verdictName(Verdict::Declined))
        Pairs.push_back(
            {*E, measuredOf(Pair), "", "", "", Unit, &Pair, Number});
      ++Number;
    });
  }
  return rank(std::move(Pairs));
}

/// Of the first line of a declined pair in a text report; nothing of others.
static std::optional<MendEntry> entryOf(StringRef Line) {
  const auto [Head, Tail] = Line.split("   declined   ");
  if (Line.starts_with(" ") || Tail.empty())
    return std::nullopt;
  const StringRef Buffers = Head.rtrim().rsplit("   ").first;
  const auto [Host, Device] = Buffers.split(" + ");
  MendEntry E;
  E.Buffers = (Host.rtrim() + " + " + Device.rtrim()).str();
  E.Reason = Tail.split(", by ").first.str();
  return E;
}

/// Adds what the line \p Text of a measured run says to \p Pair.
static void addMeasured(MendEntry &Pair, StringRef Text) {
  Pair.Measured = measuredFromText(Text);
  if (Pair.isMeasured())
    Pair.Text = Text.str();
}

MendFirst mendFirst(const std::map<std::string, std::string> &Sections) {
  std::vector<MendEntry> Pairs;
  for (const auto &[Name, Body] : Sections) {
    std::optional<MendEntry> Pair;
    bool Estimated = false; // the pair is in Pairs
    for (StringRef Line : split(Body, '\n')) {
      if (!Line.starts_with(" ")) {
        Pair = entryOf(Line);
        Estimated = false;
      }
      if (!Pair)
        continue;
      if (Line.consume_front(EstimateMark)) {
        if (const std::optional<CopyEstimate> E = estimateFromText(Line)) {
          Pair->Copies = *E;
          Pair->Text = Line.str();
          Pairs.push_back(*Pair);
          Estimated = true;
        }
      } else if (Estimated && Line.consume_front(MeasuredMark)) {
        addMeasured(Pairs.back(), Line);
      }
    }
  }
  return rank(std::move(Pairs));
}

std::string headingOf(const MendFirst &First) {
  std::string Text = MendFirstWords;
  if (First.Measured)
    Text += ", by the measured time of an iteration";
  if (First.Measured && First.Measured < First.Pairs.size())
    Text += ", then those not measured";
  if (First.By == MendOrder::Time)
    Text += ", by the time of one run of each copy";
  if (First.By == MendOrder::Bytes)
    Text += ", by bytes, as rates of copies are not known (--estimate=FILE)";
  return Text;
}

std::string mendLines(const MendFirst &First) {
  if (First.Pairs.empty())
    return "";
  std::string Text = "# " + headingOf(First) + ":\n";
  for (const auto &[I, Pair] : enumerate(First.Pairs))
    Text += formatv("# {0,3}. {1}: {2}; {3}\n", I + 1, Pair.Buffers, Pair.Text,
                    Pair.Reason)
                .str();
  return Text;
}

bool isMendLine(StringRef Line) {
  static const Regex Entry("^# +[0-9]+\\. ");
  return Line.starts_with((Twine("# ") + MendFirstWords).str()) ||
         Entry.match(Line);
}

json::Object mendToJson(const MendFirst &First) {
  json::Array Pairs;
  for (const MendEntry &Pair : First.Pairs) {
    json::Object O = estimateToJson(Pair.Copies);
    O["source"] = textIn(*Pair.Unit, "source");
    if (const StringRef Folder = textIn(*Pair.Unit, "folder"); !Folder.empty())
      O["folder"] = Folder;
    O["pair"] = Pair.Number;
    if (Pair.isMeasured())
      O["ns_per_iteration"] = Pair.Measured->Ns;
    Pairs.push_back(std::move(O));
  }
  json::Value By = nullptr;
  if (First.By != MendOrder::Nothing)
    By = First.By == MendOrder::Time ? "time" : "bytes";
  json::Object O{{"pairs", std::move(Pairs)}};
  if (First.Measured) {
    O["by"] = "measured";
    O["others_by"] = std::move(By);
  } else {
    O["by"] = std::move(By);
  }
  return O;
}

} // namespace echo
