//===- ReportHtml.cpp - The report of all units as a page -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws the JSON report as one page that needs no other file and runs no
// script: totals, reasons by number, units by what is left, and each pair with
// the lines of the source that it speaks of. The JSON itself stands in the
// page, so that a later compilation can replace its unit. All text is escaped.
//
//===----------------------------------------------------------------------===//
#include "Report/Estimates.h"
#include "Report/JsonObjects.h"
#include "Report/MeasuredCopies.h"
#include "Report/MendFirst.h"
#include "Report/Report.h"
#include "Report/ReportText.h"
#include "Report/ReportTotals.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace echo;
using namespace llvm;

static constexpr StringLiteral DataBegin =
    "<script type=\"application/json\" id=\"echo-report\">";
static constexpr StringLiteral DataEnd = "</script>";

static constexpr StringLiteral Style = R"(
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1a1a1a;
  background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; } th, td { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid #999; } td.n { text-align: right; font-variant-numeric: tabular-nums; }
details { border: 1px solid #ddd; border-radius: 6px; margin: .4rem 0; padding: .4rem .7rem; }
summary { cursor: pointer; } code, pre { font: 13px/1.4 ui-monospace, monospace; } h2 code { font-size: inherit; }
pre { background: #f6f6f4; border-radius: 4px; margin: .3rem 0; overflow-x: auto; padding: .4rem .6rem; }
pre b { background: #ffe9a8; font-weight: normal; }
.tag { border-radius: 4px; display: inline-block; font-size: 13px; min-width: 5rem; padding: 0 .4rem; text-align: center; }
.unified { background: #cdeccd; } .guarded { background: #dcecc4; } .declined { background: #f8d5cf; }
.skipped { background: #e6e6e6; } .quiet { color: #555; }
@media (prefers-color-scheme: dark) {
  body { background: #16181b; color: #e4e4e4; } details { border-color: #444; } pre { background: #22262b; }
  pre b { background: #5a4a12; } .unified { background: #1f5a2b; } .guarded { background: #3d5a1f; }
  .declined { background: #6b2b22; } .skipped { background: #444; } .quiet { color: #aaa; } }
)";

/// Of assumed pairs, where there are some.
static constexpr StringLiteral AssumedStyle =
    "<style>.assumed { background: #cfe0f5; } @media (prefers-color-scheme: "
    "dark) { .assumed { background: #23466e; } }</style>";

static std::string escaped(StringRef Text) {
  std::string Out;
  raw_string_ostream OS(Out);
  printHTMLEscaped(Text, OS);
  return Out;
}

Expected<StringRef> echo::dataOfPage(StringRef Page) {
  auto [Before, Rest] = Page.split(DataBegin);
  auto [Data, After] = Rest.split(DataEnd);
  if (Data.empty())
    return createStringError("it has no data of echo-cc");
  return Data;
}

namespace {
/// A page of the JSON report \p Root.
class Page {
public:
  explicit Page(const json::Object &Root) : Root(Root), OS(Out) {}
  std::string draw();

private:
  struct Counts {
    std::map<std::string, unsigned> ByVerdict, ByReason;
    unsigned Pairs = 0;
    void add(const json::Object &Pair);
  };

  void drawCounts(const Counts &All);
  void drawMendFirst();
  void drawUnits();
  void drawPair(const json::Object &Pair, const json::Object *Lines);
  void drawPlace(const json::Object &Place, StringRef What,
                 const json::Object *Lines);
  void drawLines(const json::Object &Place, const json::Object *Lines);

  const json::Object &Root;
  std::string Out;
  raw_string_ostream OS;
};
} // namespace

/// The place in the pair's own function: of the outermost call.
static const json::Object *ownPlace(const json::Object &Place) {
  const json::Array *Callers = Place.getArray("callers");
  const json::Object *Last =
      Callers && !Callers->empty() ? Callers->back().getAsObject() : nullptr;
  return Last ? Last : &Place;
}

/// The file of the pair's own function.
static StringRef fileOf(const json::Object &Host) {
  return textIn(*ownPlace(Host), "file");
}

static std::string whereText(const json::Object &Place) {
  const std::optional<int64_t> Line = Place.getInteger("line");
  if (!Line)
    return "-";
  return formatv("{0}:{1}:{2}", textIn(Place, "file"), *Line,
                 Place.getInteger("column").value_or(0));
}

void Page::Counts::add(const json::Object &Pair) {
  ++Pairs;
  const StringRef Verdict = textIn(Pair, "verdict");
  ++ByVerdict[Verdict.str()];
  if (Verdict == "declined")
    ++ByReason[textIn(Pair, "id").str()];
}

void Page::drawLines(const json::Object &Place, const json::Object *Lines) {
  const std::optional<int64_t> Line = Place.getInteger("line");
  const json::Object *File =
      Lines ? Lines->getObject(textIn(Place, "file")) : nullptr;
  if (!Line || !File)
    return;
  OS << "<pre>";
  for (int64_t L = *Line - int64_t(ExcerptLines);
       L <= *Line + int64_t(ExcerptLines); ++L)
    if (const std::optional<StringRef> Text = File->getString(itostr(L))) {
      const std::string Row = formatv("{0,5}  ", L).str() + escaped(*Text);
      OS << (L == *Line ? "<b>" + Row + "</b>" : Row) << '\n';
    }
  OS << "</pre>\n";
}

void Page::drawPlace(const json::Object &Place, StringRef What,
                     const json::Object *Lines) {
  OS << "<p>" << escaped(What) << " <code>" << escaped(whereText(Place))
     << "</code>";
  eachObject(Place, "callers", [&](const json::Object &Call) {
    OS << ", called by <code>" << escaped(textIn(Call, "function"))
       << "</code> <code>" << escaped(whereText(Call)) << "</code>";
  });
  OS << "</p>\n";
  drawLines(Place, Lines);
}

/// The buffer at \p Key of \p Pair, "host" or "device".
static const json::Object &sideOf(const json::Object &Pair, StringRef Key) {
  static const json::Object Nothing;
  const json::Object *O = Pair.getObject(Key);
  return O ? *O : Nothing;
}

/// "<code>h</code> app.cu:40:14 + <code>d</code> app.cu:41:3".
static std::string buffersOf(const json::Object &Pair) {
  const auto Text = [&](StringRef Key) {
    const json::Object &Side = sideOf(Pair, Key);
    return "<code>" + escaped(textIn(Side, "name")) + "</code> " +
           escaped(whereText(*ownPlace(Side)));
  };
  return Text("host") + " + " + Text("device");
}

void Page::drawPair(const json::Object &Pair, const json::Object *Lines) {
  const json::Object &Host = sideOf(Pair, "host"),
                     &Device = sideOf(Pair, "device");
  const StringRef Verdict = textIn(Pair, "verdict"), Id = textIn(Pair, "id");
  OS << "<details><summary><span class=\"tag " << escaped(Verdict) << "\">"
     << escaped(Verdict) << "</span> " << buffersOf(Pair);
  if (const std::optional<int64_t> Bytes = Pair.getInteger("bytes"))
    OS << ", " << sizeText(static_cast<uint64_t>(*Bytes));
  if (Verdict == "declined" || Verdict == verdictName(Verdict::Assumed))
    OS << ", <b>" << escaped(Id) << "</b>";
  OS << "</summary>\n";
  if (const std::optional<CopyEstimate> E = estimateOf(Pair))
    OS << "<p>Copies: " << estimateText(*E) << "</p>\n";
  if (const std::optional<MeasuredCopies> M = measuredOf(Pair))
    OS << "<p>Measured: " << escaped(measuredText(*M, fileOf(Host)))
       << "</p>\n";
  if (const BlockerInfo *Reason = findBlocker(Id))
    OS << "<p>" << escaped(Reason->Summary) << ". "
       << escaped(Reason->Explanation) << "</p>\n";
  eachObject(Pair, "because", [&](const json::Object &Cause) {
    drawPlace(Cause, textIn(Cause, "what"), Lines);
  });
  if (const StringRef Try = textIn(Pair, "suggestion"); !Try.empty())
    OS << "<p><b>Try:</b> " << escaped(Try) << "</p>\n";
  if (const StringRef Word = textIn(Pair, "vouched"); !Word.empty())
    OS << "<p><b>Vouched for:</b> " << escaped(Word) << "</p>\n";
  eachObject(Pair, "links", [&](const json::Object &Link) {
    drawPlace(Link, textIn(Link, "direction"), Lines);
  });
  drawPlace(Host, "the host buffer", Lines);
  drawPlace(Device, "the device buffer", Lines);
  OS << "</details>\n";
}

void Page::drawCounts(const Counts &All) {
  OS << "<p>" << All.Pairs << (All.Pairs == 1 ? " pair" : " pairs");
  for (const auto &[Verdict, N] : All.ByVerdict)
    OS << " <span class=\"tag " << escaped(Verdict) << "\">" << N << ' '
       << escaped(Verdict) << "</span>";
  OS << "</p>\n";
  if (const json::Array *Units = Root.getArray("units"))
    if (const std::string Copies = removedTotal(removedCopies(*Units));
        !Copies.empty())
      OS << "<p>" << Copies << "</p>\n";
  if (All.ByReason.empty())
    return;
  OS << "<h2>Reasons</h2>\n<table><tr><th>pairs</th><th>reason</th><th></th></"
        "tr>\n";
  for (const auto &[N, Id] : mostFrequentFirst(All.ByReason)) {
    const BlockerInfo *Reason = findBlocker(Id);
    OS << "<tr><td class=\"n\">" << N << "</td><td><code>" << escaped(Id)
       << "</code></td><td>" << escaped(Reason ? Reason->Summary : "")
       << "</td></tr>\n";
  }
  OS << "</table>\n";
}

void Page::drawMendFirst() {
  const json::Array *Units = Root.getArray("units");
  const MendFirst First = Units ? mendFirst(*Units) : MendFirst();
  if (First.Pairs.empty())
    return;
  OS << "<h2>Pairs to mend</h2>\n<p>" << escaped(headingOf(First))
     << ":</p>\n<ol>\n";
  for (const MendEntry &Pair : First.Pairs)
    OS << "<li>" << buffersOf(*Pair.Pair) << ": "
       << escaped(Pair.isMeasured()
                      ? measuredText(*Pair.Measured,
                                     fileOf(sideOf(*Pair.Pair, "host")))
                      : estimateText(Pair.Copies))
       << ", <b>" << escaped(textIn(*Pair.Pair, "id")) << "</b></li>\n";
  OS << "</ol>\n";
}

void Page::drawUnits() {
  eachObject(Root, "units", [&](const json::Object &Unit) {
    const json::Object *Lines = Unit.getObject("lines");
    OS << "<h2><code>" << escaped(textIn(Unit, "source")) << "</code>";
    if (const StringRef Folder = textIn(Unit, "folder"); !Folder.empty())
      OS << " in <code>" << escaped(Folder) << "</code>";
    OS << "</h2>\n";
    bool Any = false;
    for (const bool Declined : {true, false})
      eachObject(Unit, "pairs", [&](const json::Object &Pair) {
        if ((textIn(Pair, "verdict") == "declined") == Declined) {
          drawPair(Pair, Lines);
          Any = true;
        }
      });
    eachObject(Unit, "copies_kept", [&](const json::Object &Copy) {
      OS << "<p class=\"quiet\"><code>" << escaped(whereText(Copy))
         << "</code> copy stays: " << escaped(textIn(Copy, "why")) << "</p>\n";
    });
    if (!Any)
      OS << "<p class=\"quiet\">No copy links a heap buffer of the host to one "
            "of the device.</p>\n";
  });
}

std::string Page::draw() {
  Counts All;
  eachObject(Root, "units", [&](const json::Object &Unit) {
    eachObject(Unit, "pairs", [&](const json::Object &P) { All.add(P); });
  });
  OS << "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<title>Buffer pairs</title>\n<style>"
     << Style << "</style>"
     << (All.ByVerdict.count(verdictName(Verdict::Assumed)) ? AssumedStyle : "")
     << "</head><body>\n<h1>Pairs of host and device buffers</h1>\n";
  drawCounts(All);
  drawMendFirst();
  drawUnits();
  // A '<' in the data could end it.
  std::string Data = formatv("{0}", json::Value(json::Object(Root)));
  OS << DataBegin;
  for (const char C : Data)
    C == '<' ? OS << "\\u003c" : OS << C;
  OS << DataEnd << "\n</body></html>\n";
  return Out;
}

std::string echo::htmlPage(const json::Object &Root) {
  return Page(Root).draw();
}
