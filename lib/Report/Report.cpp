//===- Report.cpp - The text form of a unit's report ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a UnitReport for people: one block a pair in aligned columns, the
// copies that stay, and a closing line that counts. It decides nothing and
// leaves no pair out, whatever its verdict.
//
//===----------------------------------------------------------------------===//
#include "Report/Report.h"
#include "Report/Estimates.h"
#include "Report/MeasuredCopies.h"
#include "Report/ReportText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <set>

using namespace echo;
using namespace llvm;

/// Before what --suggest found.
static constexpr char SuggestedMark[] = "    suggested: ";

std::string echo::sizeText(uint64_t Bytes, bool Short, int Decimals) {
  static const char *const Units[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (Bytes < 1024)
    return std::to_string(Bytes) + " B";
  unsigned Unit = 0;
  double Value = static_cast<double>(Bytes) / 1024;
  while (Value >= 1024 && Unit + 1 < std::size(Units)) {
    Value /= 1024;
    ++Unit;
  }
  bool Whole = Value == static_cast<double>(static_cast<uint64_t>(Value));
  std::string Text;
  raw_string_ostream OS(Text);
  OS << format("%.*f ", Short && Whole ? 0 : Decimals, Value) << Units[Unit];
  return Text;
}

std::optional<double> echo::readSizeText(StringRef Number, StringRef Unit) {
  double Bytes = 0;
  if (Number.getAsDouble(Bytes))
    return std::nullopt;
  for (StringRef Each : {"B", "KiB", "MiB", "GiB", "TiB", "PiB"}) {
    if (Each == Unit)
      return Bytes;
    Bytes *= 1024;
  }
  return std::nullopt;
}

std::optional<double> echo::readTimeText(StringRef Number, StringRef Unit) {
  const double Scale = Unit == "s" ? 1e9 : Unit == "ms" ? 1e6 : 1e3;
  double Time = 0;
  if (Number.getAsDouble(Time))
    return std::nullopt;
  return Time * Scale;
}

std::vector<std::pair<unsigned, std::string>>
echo::mostFrequentFirst(const std::map<std::string, unsigned> &Counts) {
  std::vector<std::pair<unsigned, std::string>> Sorted;
  for (const auto &[Name, N] : Counts)
    Sorted.emplace_back(N, Name);
  llvm::stable_sort(
      Sorted, [](const auto &A, const auto &B) { return A.first > B.first; });
  return Sorted;
}

std::string echo::placeText(const SourcePlace &Place, StringRef InFile) {
  if (Place.Line == 0)
    return "-";
  std::string Text = utostr(Place.Line) + ":" + utostr(Place.Column);
  return Place.File == InFile ? Text : Place.File + ":" + Text;
}

/// "grow<double> 4:13, called by init 9:5"; "" where the pair's own function
/// allocates.
static std::string allocatorText(const AllocSite &Site, StringRef InFile) {
  if (Site.Loc.Callers.empty())
    return "";
  std::string Text = Site.Function + " " + placeText(Site.Loc, InFile);
  for (const CallPlace &Call : drop_end(Site.Loc.Callers))
    Text += ", called by " + Call.Function + " " + placeText(Call, InFile);
  return Text;
}

/// ", by grow<double> 4:13", where helpers allocate.
static std::string allocatorsText(const PairReport &Pair) {
  StringRef InFile = Pair.Host.Loc.own().File;
  std::string Host = allocatorText(Pair.Host, InFile);
  std::string Device = allocatorText(Pair.Device, InFile);
  // A helper that allocates both is told by the place where it begins to.
  bool One = Pair.Host.Function == Pair.Device.Function &&
             Pair.Host.Loc.Callers == Pair.Device.Loc.Callers;
  if (!Host.empty() && !Device.empty() && !One)
    Host += " and ";
  return Host.empty() && Device.empty() ? ""
                                        : ", by " + Host + (One ? "" : Device);
}

/// "1 copy", "2 copies".
static std::string counted(size_t N, StringRef One, StringRef Many) {
  return utostr(N) + " " + (N == 1 ? One : Many).str();
}

std::string echo::removedText(const PairReport &Pair) {
  StringRef InFile = Pair.Host.Loc.own().File;
  std::string Text = counted(Pair.Links.size(), "copy", "copies") + " removed";
  ListSeparator Comma;
  if (!Pair.Links.empty()) {
    Text += " (";
    for (const LinkCopy &Link : Pair.Links)
      Text += (StringRef(Comma) + placeText(Link.Loc.own(), InFile) +
               (Link.HostToDevice ? " H2D" : " D2H") +
               (Link.Full ? "" : " partial") +
               (Link.Chosen ? " if of this pair" : ""))
                  .str();
    Text += ")";
  }
  for (bool Added : {false, true}) {
    std::vector<std::string> Places;
    for (const KeptWait &Wait : Pair.Waits)
      if ((Wait.Kind == "added") == Added)
        Places.push_back(placeText(Wait.Loc.own(), InFile));
    if (!Places.empty())
      Text += ", " + counted(Places.size(), "wait", "waits") +
              (Added ? " added before " : " kept at ") + join(Places, ", ");
  }
  return Text;
}

std::optional<std::string> echo::suggestionOf(const PairReport &Pair) {
  if (Pair.Suggestion || !Pair.Reason)
    return Pair.Suggestion;
  StringRef Suggestion = blockerInfo(*Pair.Reason).Suggestion;
  if (Suggestion.empty())
    return std::nullopt;
  return Suggestion.str();
}

/// "app.cu:12:20"; without a line, the function tells where it is.
static std::string siteText(const AllocSite &Site) {
  if (Site.Loc.Line)
    return placeText(Site.Loc.own(), "");
  return (Site.Loc.File.empty() ? "?" : Site.Loc.File) + " (" + Site.Function +
         ")";
}

static std::string sizeOf(const PairReport &Pair) {
  if (Pair.Bytes)
    return sizeText(*Pair.Bytes);
  return Pair.SizeText.empty() ? "? B" : Pair.SizeText;
}

namespace {
/// The cells of a pair's first line that are aligned over all pairs.
struct Cells {
  std::string HostPlace, HostName, DevicePlace, DeviceName, Size;

  explicit Cells(const PairReport &Pair)
      : HostPlace(siteText(Pair.Host)), HostName(Pair.Host.Name.value_or("")),
        DevicePlace(siteText(Pair.Device)),
        DeviceName(Pair.Device.Name.value_or("")), Size(sizeOf(Pair)) {}
  std::string host() const { return join(HostPlace, HostName); }
  std::string device() const { return join(DevicePlace, DeviceName); }

private:
  static std::string join(StringRef Place, StringRef Name) {
    return (Place + (Name.empty() ? "" : " ") + Name).str();
  }
};
} // namespace

/// What the user's word for \p Pair is worth, where it merges nothing.
static StringRef wordText(const PairReport &Pair) {
  switch (Pair.Word) {
  case Vouched::Refuted:
    return "but refuted: both always happen, one after the other, on the same "
           "bytes";
  case Vouched::NotEnough:
    return "but not enough: for this reason no word counts";
  case Vouched::No:
  case Vouched::Overrules:
    break;
  }
  return "";
}

/// The lines under a declined pair: what conflicts, and the way out.
static void printCauses(const PairReport &Pair, raw_ostream &OS) {
  std::vector<std::pair<std::string, std::string>> Lines;
  for (const Cause &C : Pair.Because)
    Lines.emplace_back(placeText(C.Loc, Pair.Host.Loc.own().File), C.What);
  if (Lines.empty() && Pair.Reason)
    Lines.emplace_back("-", blockerInfo(*Pair.Reason).Summary);
  if (std::optional<std::string> Suggestion = suggestionOf(Pair))
    Lines.emplace_back("try", *Suggestion);
  if (StringRef Word = wordText(Pair); !Word.empty())
    Lines.emplace_back("vouched", Word);
  size_t Width = 4;
  for (const auto &[Place, What] : Lines)
    Width = std::max(Width, Place.size());
  for (const auto &[Place, What] : Lines)
    OS << "    " << left_justify(Place, Width) << "   " << What << '\n';
  if (Pair.Suggested)
    OS << SuggestedMark << Pair.Suggested->What << '\n';
}

static void printVerdict(const UnitReport &Unit, const PairReport &Pair,
                         raw_ostream &OS) {
  switch (Pair.Result) {
  case Verdict::Unified:
  case Verdict::Guarded:
    OS << removedText(Pair) << allocatorsText(Pair) << '\n';
    return;
  case Verdict::Assumed:
    OS << removedText(Pair) << "; overrules "
       << blockerInfo(*Pair.Reason).Condition << ' '
       << blockerInfo(*Pair.Reason).Id << allocatorsText(Pair) << '\n';
    printCauses(Pair, OS);
    return;
  case Verdict::Skipped:
    OS << "under " << sizeText(Unit.MinBytes, /*Short=*/true)
       << allocatorsText(Pair) << '\n';
    return;
  case Verdict::Declined:
    if (Pair.Reason)
      OS << blockerInfo(*Pair.Reason).Condition << ' '
         << blockerInfo(*Pair.Reason).Id;
    OS << allocatorsText(Pair) << '\n';
    printCauses(Pair, OS);
    return;
  }
}

/// One line for all copies of a file that stay for one reason.
static void printKeptCopies(const UnitReport &Unit, raw_ostream &OS) {
  std::vector<std::pair<const KeptCopy *, std::vector<std::string>>> Same;
  for (const KeptCopy &Copy : Unit.CopiesKept) {
    auto It = llvm::find_if(Same, [&](const auto &Each) {
      return Each.first->Loc.File == Copy.Loc.File &&
             Each.first->Why == Copy.Why;
    });
    if (It == Same.end())
      Same.push_back({&Copy, {placeText(Copy.Loc, "")}});
    else
      It->second.push_back(placeText(Copy.Loc, Copy.Loc.File));
  }
  for (const auto &[Copy, Places] : Same)
    OS << join(Places, ", ") << "   "
       << (Places.size() == 1 ? "copy stays"
                              : utostr(Places.size()) + " copies stay")
       << ": " << Copy->Why << '\n';
  std::set<std::string> Changes;
  for (const KeptCopy &Copy : Unit.CopiesKept)
    if (Copy.Suggested && Changes.insert(Copy.Suggested->What).second)
      OS << SuggestedMark << Copy.Suggested->What << '\n';
}

static void printTotals(const UnitReport &Unit, raw_ostream &OS) {
  OS << counted(Unit.Pairs.size(), "pair", "pairs");
  if (Unit.Pairs.empty())
    OS << ": no copy links a heap buffer of the host to one of the device";
  StringRef Separator = ": ";
  for (Verdict V : AllVerdicts) {
    auto N =
        std::count_if(Unit.Pairs.begin(), Unit.Pairs.end(),
                      [V](const PairReport &Pair) { return Pair.Result == V; });
    if (N == 0)
      continue;
    OS << Separator << N << ' ' << verdictName(V);
    if (V == Verdict::Skipped)
      OS << " (under " << sizeText(Unit.MinBytes, /*Short=*/true) << ')';
    Separator = ", ";
  }
  OS << '\n';
}

void echo::printReport(const UnitReport &Unit, raw_ostream &OS) {
  std::vector<Cells> Rows;
  size_t HostWidth = 0, DeviceWidth = 0, SizeWidth = 0;
  for (const PairReport &Pair : Unit.Pairs) {
    const Cells &Row = Rows.emplace_back(Pair);
    HostWidth = std::max(HostWidth, Row.host().size());
    DeviceWidth = std::max(DeviceWidth, Row.device().size());
    SizeWidth = std::max(SizeWidth, Row.Size.size());
  }
  for (size_t I = 0; I < Rows.size(); ++I) {
    const PairReport &Pair = Unit.Pairs[I];
    OS << left_justify(Rows[I].host(), HostWidth) << " + "
       << left_justify(Rows[I].device(), DeviceWidth) << "   "
       << left_justify(Rows[I].Size, SizeWidth) << "   "
       << left_justify(verdictName(Pair.Result), 8) << "   ";
    printVerdict(Unit, Pair, OS);
    if (Pair.Estimate)
      OS << EstimateMark << estimateText(*Pair.Estimate) << '\n';
    if (Pair.Measured)
      OS << MeasuredMark
         << measuredText(*Pair.Measured, Pair.Host.Loc.own().File) << '\n';
  }
  printKeptCopies(Unit, OS);
  printTotals(Unit, OS);
}
