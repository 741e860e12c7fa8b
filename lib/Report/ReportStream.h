//===- ReportStream.h - Reports that are written on -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A terminal, a pipe, or the output of this process as a report. It is only
// appended to, as nobody can read from it what others wrote, and it must never
// be renamed over.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_REPORT_REPORTSTREAM_H
#define ECHO_REPORT_REPORTSTREAM_H

#include "llvm/Support/Error.h"
#include <string>

namespace echo {

/// Appends \p Text to the stream \p Path.
llvm::Error writeStream(const std::string &Path, llvm::StringRef Text);

/// Writes all of \p Text to \p Handle; false: errno says why not.
bool writeAll(int Handle, llvm::StringRef Text);

/// "cannot write report 'PATH': REASON"
llvm::Error reportError(llvm::StringRef Path, const llvm::Twine &Reason);
/// The same; the reason is errno's, for \p Action.
llvm::Error reportSystemError(llvm::StringRef Path, llvm::StringRef Action);

} // namespace echo

#endif
