//===- Files.h - Small files, whole or not at all ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes whole files. A file is written beside its place and moved
// there, so that nobody ever reads a part of it, whenever the writer is killed.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_FILES_H
#define ECHO_PROFILE_FILES_H

#include <cstdint>
#include <optional>
#include <string>

namespace echo::drtool {

/// The contents of \p Path; empty if it cannot be read or is larger than
/// \p Most bytes.
std::optional<std::string> readFile(const std::string &Path,
                                    uint64_t Most = uint64_t(64) << 20);

/// Writes \p Text to \p Path, making its folders. Empty, or what went wrong.
std::string writeFile(const std::string &Path, const std::string &Text);

/// The build-id of an ELF file, as bytes; empty if it has none.
std::string buildIdOf(const std::string &Path);

/// The hash of all of a file's contents; 0 if it is no file that can be read.
/// \p Cache keeps hashes (runtime/abi/FileHash.h); empty: none does.
uint64_t contentsOf(const std::string &Path, const std::string &Cache = "");

/// FNV-1a of the build-id, or the hash of the contents if it has none; 0 if it
/// cannot be read. What the preloaded library tells modules apart by.
uint64_t identityOf(const std::string &Path, const std::string &Cache = "");

} // namespace echo::drtool

#endif
