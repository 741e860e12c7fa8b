//===- PathKinds.h - What a path says of its file ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides by paths which files are none of a plan's key: the system's, and what
// can be made again. At most it looks whether a file is there, never at
// contents.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_PATHKINDS_H
#define ECHO_PROFILE_PATHKINDS_H

#include <string>

namespace echo::drtool {

bool startsWith(const std::string &Text, const char *Beginning);

/// The folder \p Path without "." and "..", and with a slash at its end: equal
/// texts are the same folder, as far as no link is on the way.
std::string asFolder(const std::string &Path);

/// The folder that the name of \p Path is in, as asFolder() gives it.
std::string folderOf(const std::string &Path);

/// What lies in memory, or is the system's own, is no file of the program's.
bool isNoFile(const std::string &Path);

/// What the driver keeps of the code that it compiled. It follows from the
/// program and the driver, and the first run makes what the next ones read.
bool isDriversCache(const std::string &Path);

/// Folders of what can be made again: what a program keeps there for its next
/// run makes that faster, not different. What it reads there is its input all
/// the same, but for the driver's.
bool isCache(const std::string &Path);

/// Packages of an interpreter: whether others are there makes no difference,
/// and thousands are looked at. Those that are opened are a part of the key.
bool isPackages(const std::string &Path);

/// What was made in memory, and is gone, as processes use it among themselves.
bool isScratch(const std::string &Path);

/// True if a plan can hold \p Path.
bool canBeKept(const std::string &Path);

/// What Python compiled ("__pycache__/name.cpython-311.pyc") stands for its
/// source: Python looks at the source's time alone, opens it only when that has
/// changed, and writes the other anew. Other paths stand for themselves.
std::string sourceOf(const std::string &Path);

} // namespace echo::drtool

#endif
