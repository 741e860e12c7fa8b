//===- ReportTotals.cpp - What the units of a report say together ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A text report is added up from its own lines, as several compilers write to
// it and none has the facts of all units. Its sizes have two decimals there;
// the total has one.
//
//===----------------------------------------------------------------------===//
#include "Report/ReportTotals.h"
#include "Report/JsonObjects.h"
#include "Report/MendFirst.h"
#include "Report/ReportText.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace echo;
using namespace llvm;

static constexpr StringLiteral PairMark = "# all ";
static constexpr StringLiteral CopyMark = "# copies removed: ";

/// A line about two units or more: their pairs by verdict, and the reasons of
/// declined ones, the most frequent first.
static std::string
pairTotal(const std::map<std::string, std::string> &Sections) {
  if (Sections.size() < 2)
    return "";
  Regex Totals("^[0-9]+ pairs?: [0-9]"), Part("([0-9]+) ([a-z]+)"),
      Why("^[^ ].*   declined   ([^ ]+ [a-z0-9-]+)");
  MapVector<StringRef, unsigned> Verdicts;
  for (Verdict V : AllVerdicts)
    Verdicts[verdictName(V)] = 0;
  std::map<std::string, unsigned> Reasons;
  unsigned Pairs = 0;
  for (const auto &[Name, Body] : Sections)
    for (StringRef Line : split(Body, '\n')) {
      SmallVector<StringRef, 3> Found;
      if (Why.match(Line, &Found))
        ++Reasons[Found[1].str()];
      if (!Totals.match(Line))
        continue;
      unsigned N = 0;
      for (StringRef Each : split(Line.split(": ").second, ','))
        if (Part.match(Each, &Found) && !Found[1].getAsInteger(10, N)) {
          Verdicts[Found[2]] += N;
          Pairs += N;
        }
    }
  std::string Text;
  raw_string_ostream OS(Text);
  OS << PairMark << Sections.size() << " units: " << Pairs
     << (Pairs == 1 ? " pair" : " pairs");
  StringRef Before = ": ";
  for (const auto &[Name, N] : Verdicts)
    if (N) {
      OS << Before << N << ' ' << Name;
      Before = ", ";
    }
  Before = "; declined for ";
  for (const auto &[N, Reason] : mostFrequentFirst(Reasons)) {
    OS << Before << Reason << ' ' << N;
    Before = ", ";
  }
  OS << '\n';
  return Text;
}

namespace {
/// Adds up the copies of units. A copy that may be of several pairs is one.
class CopyCounter {
public:
  void beginUnit() { Chosen.clear(); }
  /// \p Bytes: where known. \p Place: of a copy that may be of other pairs.
  void add(std::optional<double> Bytes, StringRef Place);
  RemovedCopies take() const {
    return {Copies, static_cast<uint64_t>(Bytes), Unknown};
  }

private:
  std::set<std::string> Chosen; ///< places of those of the unit
  uint64_t Copies = 0, Unknown = 0;
  double Bytes = 0;
};
} // namespace

void CopyCounter::add(std::optional<double> Size, StringRef Place) {
  if (!Place.empty() && !Chosen.insert(Place.str()).second)
    return;
  ++Copies;
  if (Size && Place.empty())
    Bytes += *Size;
  else
    ++Unknown;
}

static bool merges(StringRef Verdict) {
  return Verdict == verdictName(Verdict::Unified) ||
         Verdict == verdictName(Verdict::Guarded) ||
         Verdict == verdictName(Verdict::Assumed);
}

/// Adds the copies of \p Pair, an object of the JSON report.
static void addPair(CopyCounter &Counter, const json::Object &Pair) {
  if (!merges(textIn(Pair, "verdict")))
    return;
  const std::optional<double> Bytes = Pair.getNumber("bytes");
  eachObject(Pair, "links", [&](const json::Object &Link) {
    std::string Place;
    if (Link.getBoolean("chosen").value_or(false))
      Place = formatv("{0}:{1}:{2}", textIn(Link, "file"),
                      Link.getInteger("line").value_or(0),
                      Link.getInteger("column").value_or(0));
    const bool Full = Link.getBoolean("full").value_or(false);
    Counter.add(Full ? Bytes : std::nullopt, Place);
  });
}

RemovedCopies echo::removedCopies(const json::Array &Units) {
  CopyCounter Counter;
  for (const json::Value &Unit : Units) {
    Counter.beginUnit();
    if (const json::Object *O = Unit.getAsObject())
      eachObject(*O, "pairs",
                 [&](const json::Object &Pair) { addPair(Counter, Pair); });
  }
  return Counter.take();
}

/// Adds the copies of the pair whose first line in the text report \p Line is;
/// of other lines nothing.
static void addLine(CopyCounter &Counter, StringRef Line) {
  static const Regex First("^[^ ].*   (.+) ([KMGTP]?i?B) +([a-z]+) +[0-9]+ "
                           "cop(y|ies) removed \\(([^)]*)\\)");
  SmallVector<StringRef, 6> Found;
  if (!First.match(Line, &Found) || !merges(Found[3]))
    return;
  const std::optional<double> Bytes = readSizeText(Found[1], Found[2]);
  for (StringRef Copy : split(Found[5], ", ")) {
    const bool Chosen = Copy.consume_back(" if of this pair");
    const bool Full = !Copy.consume_back(" partial");
    Counter.add(Full ? Bytes : std::nullopt, Chosen ? Copy : "");
  }
}

std::string echo::removedTotal(const RemovedCopies &Removed) {
  if (!Removed.Copies)
    return "";
  std::string Text = ("copies removed: " + Twine(Removed.Copies)).str();
  if (Removed.Copies == Removed.Unknown)
    return Text + " of unknown size";
  Text += "; " + sizeText(Removed.Bytes, /*Short=*/false, /*Decimals=*/1) +
          " per run of each";
  if (Removed.Unknown)
    Text += (", " + Twine(Removed.Unknown) + " of unknown size").str();
  return Text;
}

std::string
echo::totalLines(const std::map<std::string, std::string> &Sections) {
  CopyCounter Counter;
  for (const auto &[Name, Body] : Sections) {
    Counter.beginUnit();
    for (StringRef Line : split(Body, '\n'))
      addLine(Counter, Line);
  }
  const std::string Copies = removedTotal(Counter.take());
  return pairTotal(Sections) + (Copies.empty() ? "" : "# " + Copies + "\n") +
         mendLines(mendFirst(Sections));
}

bool echo::isTotalLine(StringRef Line) {
  return Line.starts_with(PairMark) || Line.starts_with(CopyMark) ||
         isMendLine(Line);
}
