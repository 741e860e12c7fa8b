//===- Report.h - What an analysis shows, for people and programs *- C++ -*-==//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same facts in four forms: text, JSON, one HTML page without anything from
// elsewhere, and a trace for ui.perfetto.dev. Nothing is decided here.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_REPORT_H
#define ECHO_PROFILE_REPORT_H

#include "Profile/Analysis.h"
#include "runtime/abi/ReportWords.h"

namespace echo::drtool {

class Symbols;

std::string reportText(const Analysis &A, const std::vector<Trace> &Traces);
std::string reportJson(const Analysis &A, const std::vector<Trace> &Traces);
std::string reportHtml(const Analysis &A, const std::vector<Trace> &Traces);
/// All processes' calls, in the format of Chrome's and Perfetto's viewers.
std::string perfettoJson(const std::vector<Trace> &Traces);

/// "16 MiB", "200 KiB", "100 B".
std::string bytesText(uint64_t Bytes);
/// "malloc", "cudaMalloc": how memory of kind \p H was allocated.
const char *howText(dr::How H);
/// What the bound on the speedup leaves out, to end its sentence with; or "".
std::string newMemoryText(const Analysis &A);
/// "X J an iteration, of the whole GPU", if \p A knows; or "".
std::string energyText(const Analysis &A);
/// "pinned-split, mapped" or "nothing".
std::string openText(const std::vector<Choice> &Open);
/// Why choices are closed to \p P, one line each.
std::vector<std::string> closedTexts(const Pair &P);
/// What a record is, as timelines name it: "H2D", "launch"; "" for records that
/// are no calls of the program.
std::string eventName(const TraceRecord &R);
/// The kernel that a launch names, without type and parameters; "" if \p R is
/// no launch of a kernel, or the name is not known.
std::string kernelName(const Trace &T, const TraceRecord &R, Symbols &Names);

} // namespace echo::drtool

#endif
