//===- ReportHtml.cpp - What an analysis shows, as a page -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file that needs no other and runs no script: the numbers, a timeline of
// the last iterations of the loop as a drawing, and the pairs. All text that
// comes from traces is escaped.
//
//===----------------------------------------------------------------------===//
#include "Profile/Report.h"
#include "Profile/Streams.h"
#include "Profile/Symbols.h"
#include "Profile/Worth.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace echo::drtool {

static std::string escaped(const std::string &Text) {
  std::string Out;
  for (char C : Text) {
    switch (C) {
    case '&':
      Out += "&amp;";
      break;
    case '<':
      Out += "&lt;";
      break;
    case '>':
      Out += "&gt;";
      break;
    case '"':
      Out += "&quot;";
      break;
    default:
      Out += static_cast<unsigned char>(C) < ' ' ? ' ' : C;
    }
  }
  return Out;
}

static const char *colorOf(const std::string &Name) {
  if (Name == "H2D")
    return "#c2410c";
  if (Name == "D2H")
    return "#b91c1c";
  if (Name == "launch")
    return "#15803d";
  if (Name == "wait")
    return "#a3a3a3";
  return "#1d4ed8";
}

namespace {

/// The last iterations of the loop: one row for each thread, with all calls,
/// and one for each stream, with those that put work into it.
class Timeline {
  static constexpr double Width = 1000, Label = 230, RowHeight = 26;
  const Trace &T;
  const StreamHistory &Streams;
  Symbols &Names;
  uint64_t From = 0, Until = 0;
  std::set<uint16_t> Threads;
  std::set<size_t> Used;
  std::string Out;

  bool isShown(const TraceRecord &R) const {
    return !eventName(R).empty() && R.Begin < Until && R.End >= From;
  }

  /// Whether the event \p I puts work into a stream.
  bool hasStream(size_t I) const {
    return isWork(T.Events[I]) && Streams.Of[I] != StreamHistory::Nothing;
  }

  void box(const TraceRecord &R, size_t Row) {
    const double Scale = (Width - Label) / double(Until - From);
    const uint64_t Left = std::max(R.Begin, From);
    const uint64_t Right = std::min(R.End, Until);
    const std::string Name = eventName(R), Kernel = kernelName(T, R, Names);
    Out += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"20\" "
        "fill=\"{}\"><title>{}{}{}{}</title></rect>\n",
        Label + double(Left - From) * Scale, double(Row) * RowHeight + 4,
        std::max(0.6, double(Right - Left) * Scale), colorOf(Name), Name,
        Kernel.empty() ? "" : " " + escaped(Kernel),
        R.End == R.Begin
            ? ""
            : (Kernel.empty() ? " " : ", ") + timeText(double(R.End - R.Begin)),
        callsOf(R) > 1 ? fmt::format(", {} times", callsOf(R))
        : R.Bytes      ? ", " + bytesText(R.Bytes)
                       : "");
  }

  void label(const std::string &Text, size_t Row) {
    Out += fmt::format("<text x=\"0\" y=\"{:.0f}\">{}</text>\n",
                       double(Row) * RowHeight + 18, escaped(Text));
  }

public:
  Timeline(const Trace &T, const StreamHistory &Streams, Symbols &Names)
      : T(T), Streams(Streams), Names(Names) {}

  std::string draw(const Loop &L) {
    const double Span = 3 * L.period();
    if (Span <= 0)
      return "<p>No loop was found.</p>\n";
    Until = L.Until;
    From = std::max(L.From, Until - uint64_t(Span));
    std::vector<size_t> Shown;
    for (size_t I = 0; I < T.Events.size() && Shown.size() < 5000; ++I) {
      if (!isShown(T.Events[I]))
        continue;
      Shown.push_back(I);
      Threads.insert(T.Events[I].Thread);
      if (hasStream(I))
        Used.insert(Streams.Of[I]);
    }
    for (size_t I : Shown) {
      const TraceRecord &R = T.Events[I];
      box(R, size_t(std::distance(Threads.begin(), Threads.find(R.Thread))));
      if (hasStream(I))
        box(R, Threads.size() + size_t(std::distance(
                                    Used.begin(), Used.find(Streams.Of[I]))));
    }
    size_t Row = 0;
    for (uint16_t Thread : Threads)
      label(fmt::format("thread {}", Thread), Row++);
    for (size_t Stream : Used)
      label(streamText(T, Streams, Stream), Row++);
    std::string Page = fmt::format(
        "<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
        "aria-label=\"Timeline\">\n{}</svg>\n",
        Width, RowHeight * double(std::max<size_t>(1, Row)) + 4, Out);
    for (const char *Name : {"H2D", "D2H", "launch", "wait", "other"})
      Page +=
          fmt::format("<span class=\"key\" style=\"background:{}\"></span>{} ",
                      colorOf(Name), Name);
    return Page + fmt::format("<p>{} of the steady loop: calls by host thread, "
                              "and by the stream that they put work into. When "
                              "the GPU did it is not recorded.</p>\n",
                              timeText(double(Until - From)));
  }
};

} // namespace

/// What was launched: the kernels of a program, most often launched first.
static std::string kernelTable(const Trace &T, const StreamHistory &Streams,
                               Symbols &Names) {
  constexpr size_t Most = 200;
  const std::vector<KernelUse> Uses = kernelUses(T, Streams);
  if (Uses.empty())
    return "<p>Nothing was launched.</p>\n";
  std::string Out = "<table><tr><th>kernel</th><th>launches</th><th>stream</th>"
                    "<th>launched by</th></tr>\n";
  for (size_t I = 0; I < std::min(Most, Uses.size()); ++I) {
    const KernelUse &K = Uses[I];
    const std::string Name =
        K.Function ? Names.kernel(T, K.Function) : "a graph";
    Out += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        Name.empty() ? fmt::format("{:#x}", K.Function) : escaped(Name),
        K.Launches, escaped(streamText(T, Streams, K.Stream)),
        K.Module ? escaped(T.moduleText(K.Module)) : "");
  }
  Out += "</table>\n";
  if (Uses.size() > Most)
    Out += fmt::format("<p>And {} more.</p>\n", Uses.size() - Most);
  return Out;
}

static std::string siteHtml(const Trace &T, uint64_t Site, Symbols &Names) {
  const std::vector<std::string> Frames = Names.frames(T, Site, 16);
  std::string Out = "<details><summary>" + escaped(Frames[0]) + "</summary>";
  for (size_t I = 1; I < Frames.size(); ++I)
    Out += escaped(Frames[I]) + "<br>";
  return Out + "</details>";
}

/// What pairs that stay two buffers wait for, the dearest first.
static std::string mendList(const Analysis &A) {
  std::string Out;
  for (const std::string &Line : mendTexts(A))
    Out += "<li>" + escaped(Line) + "</li>\n";
  return Out.empty() ? ""
                     : "<h2>What to mend first</h2>\n<ol>\n" + Out + "</ol>\n";
}

static std::string pairRow(const Analysis &A, size_t Index, const Trace &T,
                           Symbols &Names) {
  const Pair &P = A.Pairs[Index];
  std::string Copies, Why;
  for (const CopySite &S : P.Copies)
    Copies += fmt::format(
        "{} {} x {}{}{}", S.ToDevice ? "H2D" : "D2H", bytesText(S.Most),
        S.Count,
        S.Steady ? ", " + timeText(S.Ns / double(S.Steady)) + " each" : "",
        siteHtml(T, S.Site, Names));
  for (const std::string &Text : closedTexts(P))
    Why += "<br>" + escaped(Text);
  return fmt::format(
      "<tr><td>{}</td><td>{}</td><td>{}{}</td><td>{}{}</td><td>{}</td>"
      "<td>{}</td><td>{}{}</td></tr>\n",
      Index + 1, bytesText(P.Bytes), escaped(howText(P.HostKind)),
      siteHtml(T, P.HostSite, Names), escaped(howText(P.DeviceKind)),
      siteHtml(T, P.DeviceSite, Names), Copies, worthText(worthOf(A, P)),
      openText(P.open()), Why);
}

std::string reportHtml(const Analysis &A, const std::vector<Trace> &Traces) {
  std::string Out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<title>Echo: copies of a program</title>\n<style>\n"
      "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:70em;"
      "padding:0 1em}\n"
      "table{border-collapse:collapse;width:100%}\n"
      "td,th{border:1px solid #ccc;padding:.4em;text-align:left;vertical-align:"
      "top;overflow-wrap:anywhere}\n"
      "svg{width:100%;border:1px solid #ccc}\n"
      "svg text{font-size:12px}\n"
      ".key{display:inline-block;width:1em;height:1em;margin:0 .3em 0 1em;"
      "vertical-align:-.15em}\n</style></head><body>\n"
      "<h1>Copies between host and device</h1>\n";
  if (A.Traces.empty())
    return Out + "<p>No traces: nothing was recorded.</p>\n</body></html>\n";
  const Trace &T = Traces[A.Main];
  Out += fmt::format(
      "<p>{} on {}, {} process(es). Loop: {} iterations, {} each. Copies take "
      "<b>{:.1f} %</b> of it; without those that something is open to the "
      "loop is at most <b>{:.2f}</b> times as fast{}.</p>\n",
      escaped(T.Executable), escaped(T.Device), A.Traces.size(),
      A.Iterations.Count, timeText(A.Iterations.period()), 100 * A.CopyFraction,
      Analysis::speedup(A.OpenFraction), newMemoryText(A));
  if (A.Joules)
    Out += "<p>Energy: " + energyText(A) + ".</p>\n";
  for (const std::string &Note : A.Notes)
    Out += "<p>Note: " + escaped(Note) + "</p>\n";
  const StreamHistory Streams = followStreams(T);
  Symbols Names;
  Out += "<h2>Timeline</h2>\n" + Timeline(T, Streams, Names).draw(A.Iterations);
  Out += "<h2>Pairs</h2>\n<table><tr><th></th><th>size</th><th>host "
         "buffer</th><th>device buffer</th><th>copies</th><th>worth</th>"
         "<th>open</th></tr>\n";
  for (size_t I = 0; I < A.Pairs.size(); ++I)
    Out += pairRow(A, I, T, Names);
  Out += "</table>\n";
  if (!A.Pairs.empty())
    Out += "<p>All pairs: " + worthText(worthOfAll(A)) + ".</p>\n";
  Out += mendList(A) + "<h2>Kernels</h2>\n" + kernelTable(T, Streams, Names);
  return Out + "</body></html>\n";
}

} // namespace echo::drtool
