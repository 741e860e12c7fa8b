//===- OtherUnits.cpp - What the objects of a link may do -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit's pairs rely on all units but the unit itself. With one such unit its
// own symbols say nothing; with several, each one's count for the others.
//
//===----------------------------------------------------------------------===//
#include "cc1/OtherUnits.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/Models.h"
#include "driver/CommandLine.h"
#include "link/LinkerWords.h"
#include "runtime/abi/EchoRt.h"
#include "runtime/abi/SystemFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Object/SymbolicFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

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

/// True for libraries that each link gets, some of which are found only by the
/// linker itself.
static bool isOfToolchain(StringRef Name) {
  static constexpr StringRef Starts[] = {
      "c",     "m",      "dl",     "rt",     "pthread", "gcc",
      "gcc_s", "gcc_eh", "stdc++", "atomic", "util",    "resolv"};
  static constexpr StringRef Files[] = {
      "libc.so",  "libm.so",     "libpthread.so", "libdl.so",
      "librt.so", "libgcc_s.so", "libstdc++.so",  "ld-linux"};
  return is_contained(Starts, Name) ||
         any_of(Files, [&](StringRef F) { return Name.starts_with(F); });
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

/// True if \p O may hold more than one unit, as what `ld -r` makes does: a
/// compiler names its source once, and LLVM's assembler, unlike linkers, puts
/// the table of strings first.
static bool mayHoldUnits(const object::ObjectFile &O) {
  for (const object::SectionRef &Section : O.sections()) {
    Expected<StringRef> Name = Section.getName();
    if (!Name)
      consumeError(Name.takeError());
    else if (Name->empty())
      continue; // the first entry, which is none
    if (!Name || *Name != ".strtab")
      return true;
    break;
  }
  return 1 != count_if(O.symbols(), [](const object::SymbolRef &Symbol) {
           Expected<object::SymbolRef::Type> Type = Symbol.getType();
           if (!Type)
             consumeError(Type.takeError());
           return Type && *Type == object::SymbolRef::ST_File;
         });
}

/// The libraries that shared library \p O needs.
template <typename T>
static std::vector<std::string> neededBy(const object::ELFObjectFile<T> &O) {
  std::vector<std::string> Needed;
  const object::ELFFile<T> &Elf = O.getELFFile();
  auto Entries = Elf.dynamicEntries();
  if (!Entries) {
    consumeError(Entries.takeError());
    return Needed;
  }
  StringRef Names;
  for (const auto &Entry : *Entries) {
    if (Entry.d_tag != ELF::DT_STRTAB)
      continue;
    auto At = Elf.toMappedAddr(Entry.d_un.d_ptr);
    if (At)
      Names = StringRef(reinterpret_cast<const char *>(*At), Elf.end() - *At);
    else
      consumeError(At.takeError());
  }
  for (const auto &Entry : *Entries)
    if (Entry.d_tag == ELF::DT_NEEDED && Entry.d_un.d_val < Names.size())
      Needed.push_back(Names.data() + Entry.d_un.d_val);
  return Needed;
}

void OtherUnits::addObject(const object::ObjectFile &O, StringRef File) {
  StringSet<> Defined, Undefined;
  for (const object::SymbolRef &Symbol : O.symbols())
    addName(Undefined, Defined, Symbol);
  // GCC's own intermediate code alone: what it calls shows nowhere.
  Unknown |= Defined.contains("__gnu_lto_slim");
  // `#pragma comment(lib, "x")`, which LLVM's linker reads.
  for (const object::SectionRef &Section : O.sections()) {
    Expected<StringRef> Name = Section.getName();
    Expected<StringRef> Text = Section.getContents();
    if (Name && Text && *Name == ".deplibs")
      for (StringRef Library : split(*Text, '\0'))
        if (!Library.empty())
          addLibrary(Library, /*Static=*/false);
    if (!Name)
      consumeError(Name.takeError());
    if (!Text)
      consumeError(Text.takeError());
  }
  bool Merges = false;
  if (O.isRelocatableObject()) {
    Merges = any_of(Undefined.keys(), isOfMergedPairs) ||
             any_of(Defined.keys(), isOfMergedPairs);
    NumMerging += Merges;
    auto OfCpu = [](StringRef Name) { return Name.starts_with("echo_cpu"); };
    Cpu |= any_of(Defined.keys(), OfCpu) || any_of(Undefined.keys(), OfCpu);
    // Then the names of one unit count for the others.
    Merges = Merges && !mayHoldUnits(O);
  } else if (const auto *Elf = dyn_cast<object::ELFObjectFileBase>(&O)) {
    // It may have lost the other table. Its pairs ask the echort that it has.
    for (const object::ELFSymbolRef Symbol : Elf->getDynamicSymbolIterators())
      addName(Undefined, Defined, Symbol);
    Unknown |= hasRuntime(O, Undefined, Defined);
    Folders.push_back(sys::path::parent_path(File).str());
    if (const auto *E = dyn_cast<object::ELF64LEObjectFile>(&O))
      for (const std::string &Name : neededBy(*E))
        addLibrary(Name, /*Static=*/false);
    else
      Unknown = true;
  }
  for (StringRef Name : Undefined.keys())
    (Merges ? Merging : Plain).insert(Name);
}

bool OtherUnits::isTrusted(StringRef File) const {
  const std::string Path = File.str();
  return isInSystemFolder(Path.c_str()) ||
         any_of(Trusted, [&](const std::string &Folder) {
           return isInFolder(Path.c_str(), Folder.c_str());
         });
}

void OtherUnits::addFile(StringRef File) {
  SmallString<128> Real;
  uint64_t Size = 0;
  // What is not there yet, or a temporary file without content, this command
  // makes.
  if (sys::fs::real_path(File, Real) ||
      (!sys::fs::file_size(Real, Size) && !Size)) {
    ++NumMade;
    return;
  }
  if (!Seen.insert(Real).second || isTrusted(Real))
    return;
  auto Content = MemoryBuffer::getFile(File, /*IsText=*/false,
                                       /*RequiresNullTerminator=*/false);
  if (Content)
    addContent((*Content)->getMemBufferRef(), File);
  else
    Unknown = true;
}

/// True unless bitcode \p Content is sure to be joined with the other units of
/// a link with -flto: a linker keeps ThinLTO's modules apart.
static bool mayBeThin(MemoryBufferRef Content) {
  Expected<BitcodeLTOInfo> Info = getBitcodeLTOInfo(Content);
  if (Info)
    return Info->IsThinLTO;
  consumeError(Info.takeError());
  return true;
}

/// Adds \p Content, that of \p File or of a member of it.
void OtherUnits::addContent(MemoryBufferRef Content, StringRef File) {
  // Of a file with both, object code and bitcode, a linker may take either.
  const bool IsElf = Content.getBuffer().starts_with(ELF::ElfMagic);
  LLVMContext Context;
  auto Binary = object::createBinary(Content, IsElf ? nullptr : &Context);
  if (!Binary) {
    consumeError(Binary.takeError());
    Unknown = true; // a linker script
    return;
  }
  if (auto *O = dyn_cast<object::ObjectFile>(Binary->get()))
    return addObject(*O, File);
  if (auto *Bitcode = dyn_cast<object::SymbolicFile>(Binary->get())) {
    if (!Lto || mayBeThin(Content))
      addBitcode(*Bitcode);
    return;
  }
  auto *Archive = dyn_cast<object::Archive>(Binary->get());
  if (!Archive) {
    Unknown = true;
    return;
  }
  Error E = Error::success();
  for (const object::Archive::Child &Child : Archive->children(E)) {
    Expected<MemoryBufferRef> Member = Child.getMemoryBufferRef();
    if (Member) {
      addContent(*Member, File);
    } else {
      consumeError(Member.takeError());
      Unknown = true;
    }
  }
  Unknown |= bool(E);
  consumeError(std::move(E));
}

/// Adds what \p Bitcode uses: it is another unit to all that was compiled.
void OtherUnits::addBitcode(const object::SymbolicFile &Bitcode) {
  for (const object::BasicSymbolRef &Symbol : Bitcode.symbols()) {
    Expected<uint32_t> Flags = Symbol.getFlags();
    if (!Flags) {
      consumeError(Flags.takeError());
      Unknown = true;
      continue;
    }
    std::string Name;
    raw_string_ostream Text(Name);
    if (*Flags & object::BasicSymbolRef::SF_Undefined &&
        !errorToBool(Symbol.printName(Text)))
      Plain.insert(Name);
  }
}

/// Adds the library that a file name, or a name after -l or -l:, stands for;
/// \p Static: after -Bstatic.
void OtherUnits::addLibrary(StringRef Name, bool Static) {
  bool IsFile = Name.consume_front(":") || Name.contains(".so");
  SmallVector<std::string, 2> Names = {Name.str()};
  if (!IsFile && Static)
    Names = {("lib" + Name + ".a").str()};
  else if (!IsFile)
    Names = {("lib" + Name + ".so").str(), ("lib" + Name + ".a").str()};
  bool Found = false;
  for (size_t I = 0; I != Folders.size() && !Found; ++I) {
    for (const std::string &N : Names) {
      SmallString<128> File(Folders[I]);
      sys::path::append(File, N);
      if (!sys::fs::exists(File))
        continue;
      Found = true;
      addFile(File);
    }
  }
  Unknown |= !Found && !isOfToolchain(Name);
}

OtherUnits::OtherUnits(ArrayRef<const char *> Words,
                       ArrayRef<std::string> TrustedFolders, bool Lto)
    : Lto(Lto) {
  for (const std::string &Folder : TrustedFolders)
    if (SmallString<128> Real; !sys::fs::real_path(Folder, Real))
      Trusted.push_back(Real.str().str());
  LinkerWords Given(Words);
  Folders = std::move(Given.Folders);
  Wrapped = std::move(Given.Wrapped);
  Shared = Given.Shared;
  Unknown = Given.Unknown;
  for (const std::string &File : Given.Files)
    addFile(File);
  for (const LinkerWords::Library &L : Given.Libraries)
    addLibrary(L.Name, L.Static);
}

static uint32_t premisesBroken(unsigned Traits) {
  uint32_t Broken = 0;
#define ECHO_PREMISE(Id, Bit, Words, Text)                                     \
  if (Traits & traitsIn(Words))                                                \
    Broken |= ECHO_RELIES_##Id;
#include "runtime/abi/Premises.def"
  return Broken;
}

Expected<uint32_t> OtherUnits::broken(ArrayRef<std::string> ModelFiles,
                                      unsigned Compiled) const {
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
  uint32_t Broken = Unknown || Compiled + (NumMerging != 0) > 1
                        ? ~0u & ~ECHO_RELIES_wrapped
                        : premisesBroken(Traits);
  // What merged pairs leave out: calls of CUDA, and the heap's.
  if (any_of(Wrapped.keys(), [&](StringRef Name) {
        const FunctionModel *Model = Models.lookup(Name);
        return lookupCudaApi(Name) || (Model && Model->usesHeap());
      }))
    Broken |= ECHO_RELIES_wrapped;
  return Broken;
}

std::vector<std::string> noteObjects(uint32_t Broken, bool Shared,
                                     const Paths &Where) {
  std::vector<std::string> Objects = {
      Where.runFile(Shared ? "others/library.o" : "others/program.o")};
#define ECHO_PREMISE(Id, Bit, Words, Text)                                     \
  if (Broken & ECHO_RELIES_##Id)                                               \
    Objects.push_back(Where.runFile("others/" #Id ".o"));
#include "runtime/abi/Premises.def"
  erase_if(Objects, [](const std::string &File) { return File.empty(); });
  return Objects;
}

} // namespace echo
