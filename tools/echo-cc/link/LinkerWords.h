//===- LinkerWords.h - What a linker is asked to do -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a linker's command line as GNU ld and lld do: files, libraries, folders
// and what changes which function a name stands for. A word that brings input
// of another kind (scripts, response files) makes the whole unknown. Opens no
// file.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_LINKERWORDS_H
#define ECHO_TOOLS_ECHOCC_LINKERWORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace echo {

struct LinkerWords {
  struct Library {
    std::string Name; ///< as after -l
    bool Static;      ///< after -Bstatic
  };

  /// \p Words: the command line, without the linker's own name.
  explicit LinkerWords(llvm::ArrayRef<const char *> Words);

  std::vector<std::string> Files;
  std::vector<Library> Libraries;
  std::vector<std::string> Folders; ///< of libraries, in the order of search
  llvm::StringSet<> Wrapped;        ///< names that --wrap or --defsym redirect
  bool Shared = false;              ///< a library is made
  bool Unknown = false;             ///< some word brings input of another kind
};

} // namespace echo

#endif
