//===- FileNames.h - What the file of a place is called ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names a file as the user would find it, from debug locations: as the compile
// command had it, relative to the folder where it ran, or absolute. Two files
// must never get one name, as those of two folders that a link joins. Asks no
// file system.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_API_FILENAMES_H
#define ECHO_ANALYSIS_API_FILENAMES_H

#include <string>

namespace llvm {
class DILocation;
class Module;
class StringRef;
} // namespace llvm

namespace echo {

/// The name of the file of \p L, a place of \p M. It is relative only if the
/// source of its unit was named so, and then to the folder where the unit was
/// compiled.
std::string fileName(const llvm::DILocation &L, const llvm::Module &M);

/// Notes in \p M, the units of a link, the folder where the link runs: names
/// of units that were compiled elsewhere become absolute.
void noteLinkFolder(llvm::Module &M, llvm::StringRef Folder);

} // namespace echo

#endif
