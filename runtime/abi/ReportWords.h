//===- ReportWords.h - Words that all reports share -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the reports of echo-cc, from constants of the source, and of echo-run,
// from traces, write a time and head the list of what to mend. It decides
// nothing, and must not depend on what either of them is linked with.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_REPORTWORDS_H
#define ECHO_RUNTIME_ABI_REPORTWORDS_H

#include <stdio.h>
#include <string>

namespace echo {

inline constexpr char MendFirstWords[] =
    "what to mend first, of pairs that stay two buffers";

/// "2.500 s", "1.234 ms", "5.6 us".
inline std::string timeText(double Ns) {
  char Text[64];
  if (Ns >= 1e9)
    snprintf(Text, sizeof Text, "%.3f s", Ns / 1e9);
  else if (Ns >= 1e5)
    snprintf(Text, sizeof Text, "%.3f ms", Ns / 1e6);
  else
    snprintf(Text, sizeof Text, "%.1f us", Ns / 1e3);
  return Text;
}

} // namespace echo

#endif // ECHO_RUNTIME_ABI_REPORTWORDS_H
