//===- OtherUnits.cpp - What the objects of a link may do -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit's pairs rely on all units but the unit itself. With one such unit its
// own symbols say nothing; with several, each one's count for the others.
//
//===----------------------------------------------------------------------===//
#include "OtherUnits.h"
#include "Analysis/CudaApi.h"
#include "Analysis/Models.h"
#include "runtime/abi/EchoRt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace echo {

/// Adds the name of \p Symbol to \p Undefined, or to \p Defined.
static void addName(StringSet<> &Undefined, StringSet<> &Defined,
                    const object::SymbolRef &Symbol) {
  Expected<uint32_t> Flags = Symbol.getFlags();
  Expected<StringRef> Name = Symbol.getName();
  if (Flags && Name)
    (*Flags & object::SymbolRef::SF_Undefined ? Undefined : Defined)
        .insert(Name->split('@').first);
  if (!Flags)
    consumeError(Flags.takeError());
  if (!Name)
    consumeError(Name.takeError());
}

/// True if \p O, which uses \p Undefined and defines \p Defined, has a CUDA
/// runtime inside: which of its functions it calls shows nowhere.
static bool hasRuntime(const object::ObjectFile &O,
                       const StringSet<> &Undefined,
                       const StringSet<> &Defined) {
  if (Defined.contains("cudaDeviceReset"))
    return true;
  return !Undefined.contains("__cudaRegisterFatBinary") &&
         any_of(O.sections(), [](const object::SectionRef &Section) {
           Expected<StringRef> Name = Section.getName();
           if (!Name)
             consumeError(Name.takeError());
           return Name && *Name == ".nv_fatbin";
         });
}

void OtherUnits::add(const object::ObjectFile &O, bool Merges) {
  StringSet<> &Names = Merges ? Merging : Plain;
  NumMerging += Merges;
  StringSet<> Defined;
  if (O.isRelocatableObject()) {
    for (const object::SymbolRef &Symbol : O.symbols())
      addName(Names, Defined, Symbol);
    return;
  }
  StringSet<> Undefined;
  for (const object::SymbolRef &Symbol : O.symbols())
    addName(Undefined, Defined, Symbol);
  // It may have lost that table.
  if (const auto *Elf = dyn_cast<object::ELFObjectFileBase>(&O))
    for (const object::ELFSymbolRef Symbol : Elf->getDynamicSymbolIterators())
      addName(Undefined, Defined, Symbol);
  HasRuntimes |= hasRuntime(O, Undefined, Defined);
  for (StringRef Name : Undefined.keys())
    Names.insert(Name);
}

bool OtherUnits::isOfSystem(StringRef File) {
  static constexpr StringRef Folders[] = {"/usr/lib", "/lib"};
  static constexpr StringRef OfCuda[] = {"libcu", "libnv", "libnpp", "libnccl"};
  StringRef Name = sys::path::filename(File);
  return any_of(Folders, [&](StringRef F) { return File.starts_with(F); }) ||
         any_of(OfCuda, [&](StringRef F) { return Name.starts_with(F); });
}

void OtherUnits::addLibrary(StringRef File) {
  auto Object = object::ObjectFile::createObjectFile(File);
  if (!Object) {
    consumeError(Object.takeError()); // a linker script, or no library
    return;
  }
  add(*Object->getBinary(), /*Merges=*/false);
}

/// The traits that \p Words of a model name.
static unsigned traitsOf(StringRef Words) {
  SmallVector<StringRef, 4> Each;
  Words.split(Each, ' ', -1, /*KeepEmpty=*/false);
  unsigned Traits = 0;
  for (StringRef Word : Each)
    Traits |= traitOf(Word);
  return Traits;
}

static uint32_t premisesBroken(unsigned Traits) {
  uint32_t Broken = 0;
#define ECHO_PREMISE(Id, Bit, Words, Text)                                     \
  if (Traits & traitsOf(Words))                                                \
    Broken |= ECHO_RELIES_##Id;
#include "runtime/abi/Premises.def"
  return Broken;
}

Expected<uint32_t> OtherUnits::broken(ArrayRef<std::string> ModelFiles,
                                      unsigned Compiled) const {
  if (HasRuntimes || Compiled + (NumMerging != 0) > 1)
    return ~0u & ~ECHO_RELIES_wrapped;
  SmallVector<const StringSet<> *, 2> Sets = {&Plain};
  if (NumMerging + Compiled > 1)
    Sets.push_back(&Merging);
  auto AnyName = [&](function_ref<bool(StringRef)> Is) {
    return any_of(Sets, [&](const StringSet<> *Names) {
      return any_of(Names->keys(), Is);
    });
  };
  ModelTable Models;
  for (const std::string &File : ModelFiles)
    if (Error E = Models.addFile(File, [&](StringRef Prefix) {
          return AnyName([&](StringRef N) { return N.starts_with(Prefix); }) ||
                 any_of(Wrapped.keys(),
                        [&](StringRef N) { return N.starts_with(Prefix); });
        }))
      return std::move(E);
  unsigned Traits = 0;
  AnyName([&](StringRef Name) {
    Traits |= Models.traits(Name);
    return false;
  });
  uint32_t Broken = premisesBroken(Traits);
  // What merged pairs leave out: calls of CUDA, and the heap's.
  if (any_of(Wrapped.keys(), [&](StringRef Name) {
        const FunctionModel *Model = Models.lookup(Name);
        return lookupCudaApi(Name) || (Model && Model->usesHeap());
      }))
    Broken |= ECHO_RELIES_wrapped;
  return Broken;
}

std::vector<std::string> premiseObjects(uint32_t Broken, const Paths &Where) {
  std::vector<std::string> Objects;
#define ECHO_PREMISE(Id, Bit, Words, Text)                                     \
  if (Broken & ECHO_RELIES_##Id)                                               \
    Objects.push_back(Where.runFile("others/" #Id ".o"));
#include "runtime/abi/Premises.def"
  erase_if(Objects, [](const std::string &File) { return File.empty(); });
  return Objects;
}

} // namespace echo
