//===- FileNames.cpp - What the file of a place is called -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang splits an absolute name after what it has in common with the working
// folder, so that the name alone fits no folder. It keeps a relative one, and
// the name of the unit's source, as the command had it.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/FileNames.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace echo {

static constexpr StringRef LinkFolder = "echo.folder";

/// True if names of \p Unit, which are relative to its folder, can stay so.
static bool hasOwnFolder(const DICompileUnit &Unit, const Module &M) {
  if (sys::path::is_absolute(Unit.getFilename()))
    return false;
  const NamedMDNode *Link = M.getNamedMetadata(LinkFolder);
  return !Link ||
         cast<MDString>(Link->getOperand(0)->getOperand(0))->getString() ==
             Unit.getDirectory();
}

std::string fileName(const DILocation &L, const Module &M) {
  const StringRef File = L.getFilename(), Folder = L.getDirectory();
  const DISubprogram *Function = L.getScope()->getSubprogram();
  const DICompileUnit *Unit = Function ? Function->getUnit() : nullptr;
  if (!sys::path::is_absolute(Folder) || sys::path::is_absolute(File) ||
      !Unit || (Folder == Unit->getDirectory() && hasOwnFolder(*Unit, M)))
    return File.str();
  SmallString<256> Whole(Folder);
  sys::path::append(Whole, File);
  return Whole.str().str();
}

void noteLinkFolder(Module &M, StringRef Folder) {
  LLVMContext &C = M.getContext();
  NamedMDNode *Link = M.getOrInsertNamedMetadata(LinkFolder);
  Link->clearOperands();
  Link->addOperand(MDNode::get(C, MDString::get(C, Folder)));
}

} // namespace echo
