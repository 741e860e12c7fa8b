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

/// The words for another tool: split at commas and spaces. Quotes keep a word
/// together and go, as in a shell. "-Wl" and its like own the commas after
/// them.
std::vector<std::string> splitToolWords(llvm::StringRef Value);

} // namespace echo

#endif
