//===- Models.cpp - The table of library models ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the models that were read, by symbol name. A file is taken whole or
// not at all; a name that is not in the table stays unknown. Traits only add
// up: no file takes one away.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/Models.h"
#include "Analysis/Api/ModelParser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace echo;
using namespace llvm;

const FunctionModel *ModelTable::lookup(StringRef Name) const {
  auto Found = Models.find(Name);
  return Found == Models.end() ? nullptr : &Found->second;
}

const FunctionModel *ModelTable::lookup(const CallBase &Call) const {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() ? lookup(Callee->getName())
                                           : nullptr;
}

unsigned echo::traitsIn(StringRef Words) {
  SmallVector<StringRef, 4> Each;
  Words.split(Each, ' ', -1, /*KeepEmpty=*/false);
  unsigned Traits = 0;
  for (StringRef Word : Each)
    Traits |= traitOf(Word);
  return Traits;
}

unsigned ModelTable::traits(StringRef Name) const {
  return Traits.lookup(Name);
}

unsigned ModelTable::traitsOf(const Module &M) const {
  unsigned All = 0;
  for (const GlobalValue &G : M.global_values())
    All |= traits(G.getName());
  return All;
}

Error ModelTable::add(StringRef Text, StringRef File) {
  Expected<ParsedModels> Parsed = parseModels(Text, File);
  if (!Parsed)
    return Parsed.takeError();
  for (FunctionModel &Model : Parsed->Functions) {
    if (Model.SetsStream)
      Traits[Model.Name] |= SetsHandleStream;
    Models[Model.Name] = Model;
  }
  for (const auto &[Name, Bits] : Parsed->Traits)
    Traits[Name] |= Bits;
  return Error::success();
}

void ModelTable::forget(function_ref<bool(StringRef)> Is) {
  SmallVector<StringRef, 16> Names;
  for (StringRef Name : Models.keys())
    if (Is(Name))
      Names.push_back(Name);
  for (StringRef Name : Names)
    Models.erase(Name);
}

Error ModelTable::addFile(const std::string &Path,
                          function_ref<bool(StringRef)> Needs) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError("cannot read model file '" + Path +
                             "': " + Buffer.getError().message());
  StringRef Text = (*Buffer)->getBuffer();
  if (auto Prefix = modelPrefix(Text); Needs && Prefix && !Needs(*Prefix))
    return Error::success();
  return add(Text, Path);
}
