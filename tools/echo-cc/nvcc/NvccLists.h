//===- NvccLists.h - Lists in the values of nvcc's flags --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc takes several values in one word, between commas. Says where a value
// ends, as nvcc 13.0 was seen to do it; what the parts mean is NvccFlags.cpp's.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_NVCCLISTS_H
#define ECHO_TOOLS_ECHOCC_NVCCLISTS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace echo {

/// The parts of \p Value between commas. "\," is a comma of a part, as are
/// those between double quotes, which stay.
std::vector<std::string> splitList(llvm::StringRef Value);

/// The values in \p Value of clang's option \p Option. Of -D and -U: split
/// likewise, where any character after a backslash stands for itself. Of -I,
/// -L, -l, -isystem and -include: double quotes go, and a backslash is a
/// character of the name. Of other tools' options: splitToolWords(). Of the
/// rest: \p Value.
std::vector<std::string> splitValue(llvm::StringRef Option,
                                    llvm::StringRef Value);

/// True if \p Part can be what -D or -U takes: a name, and no more or what
/// defines it.
bool isMacro(llvm::StringRef Part);

/// The words for another tool: split at commas and spaces. Quotes keep a word
/// together and go, as in a shell. "-Wl" and its like own the commas after
/// them.
std::vector<std::string> splitToolWords(llvm::StringRef Value);

} // namespace echo

#endif
