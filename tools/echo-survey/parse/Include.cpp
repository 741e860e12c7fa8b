//===- Include.cpp - Folders of headers of a surveyed file ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nearest folders come first.
//
//===----------------------------------------------------------------------===//
#include "parse/Include.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace echo::survey {

void addFolders(const Source &From, std::vector<std::string> &Words) {
  StringRef Folder = llvm::sys::path::parent_path(From.Path);
  const StringRef Root = StringRef(From.Root).drop_back();
  while (Folder.starts_with(Root)) {
    Words.push_back("-I" + Folder.str());
    for (const char *Name : {"include", "inc", "common", "Common", "src"}) {
      const std::string Inner = (Folder + "/" + Name).str();
      if (llvm::sys::fs::is_directory(Inner))
        Words.push_back("-I" + Inner);
    }
    Folder = llvm::sys::path::parent_path(Folder);
  }
}

} // namespace echo::survey
