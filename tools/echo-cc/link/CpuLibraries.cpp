//===- CpuLibraries.cpp - CUDA's libraries on the CPU device --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the libraries of CpuLibraries.def on a command line. A word that is an
// option's value is looked at as well, except the output's name.
//
//===----------------------------------------------------------------------===//
#include "link/CpuLibraries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace echo {

namespace {
struct CpuLibrary {
  StringRef Name;    ///< as after -l
  StringRef Archive; ///< its part of the archive's name, or ""
  StringRef Needs;
};
} // namespace

static const CpuLibrary Table[] = {
#define CPU_LIBRARY(...) {__VA_ARGS__},
#include "link/CpuLibraries.def"
};

/// The row of the library that file name \p File has: libNAME.so, with a
/// version or without, or libNAME.a.
static StringRef nameOfFile(StringRef File) {
  StringRef Name = sys::path::filename(File);
  if (!Name.consume_front("lib"))
    return {};
  size_t Dot = Name.find('.');
  StringRef Suffix = Name.substr(Dot);
  if (Suffix != ".a" && Suffix != ".so" && !Suffix.starts_with(".so."))
    return {};
  return Name.substr(0, Dot);
}

static const CpuLibrary *findLibrary(StringRef Name) {
  const auto *Row =
      find_if(Table, [&](const CpuLibrary &L) { return L.Name == Name; });
  return Row == std::end(Table) ? nullptr : Row;
}

/// The library that the word at \p I names; \p Words is how many words do.
static const CpuLibrary *libraryAt(ArrayRef<std::string> Args, size_t I,
                                   size_t &Words) {
  StringRef Arg = Args[I];
  Words = 1;
  if (Arg == "-l" && I + 1 < Args.size()) {
    Words = 2;
    return findLibrary(Args[I + 1]);
  }
  if (Arg.consume_front("-l:"))
    return findLibrary(nameOfFile(Arg));
  if (Arg.consume_front("-l"))
    return findLibrary(Arg);
  if (Arg.starts_with("-") || (I && Args[I - 1] == "-o"))
    return nullptr;
  return findLibrary(nameOfFile(Arg));
}

/// Adds what \p L stands for to \p Found.
static Error add(CpuLibraries &Found, const CpuLibrary &L, const Paths &Where) {
  if (L.Archive.empty())
    return Error::success();
  std::string File = Where.runFile("libecho_cpu_" + L.Archive.str() + ".a");
  if (File.empty())
    return createStringError(
        "the CPU device of this Echo has no %s (-l%s): it was built where %s's "
        "header, or what stands for it, was not installed; install both "
        "(scripts/setup), or use --device=cuda",
        L.Archive.str().c_str(), L.Name.str().c_str(), L.Archive.str().c_str());
  if (is_contained(Found.Archives, File))
    return Error::success();
  Found.Archives.push_back(File);
  SmallVector<StringRef> Words;
  L.Needs.split(Words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef Word : Words)
    Found.Needs.push_back(Word.str());
  return Error::success();
}

Expected<CpuLibraries> takeCpuLibraries(std::vector<std::string> &Args,
                                        const Paths &Where) {
  CpuLibraries Found;
  std::vector<std::string> Kept;
  for (size_t I = 0, Words = 1; I < Args.size(); I += Words) {
    if (const CpuLibrary *L = libraryAt(Args, I, Words)) {
      if (Error E = add(Found, *L, Where))
        return std::move(E);
      continue;
    }
    Words = 1;
    Kept.push_back(Args[I]);
  }
  Args = std::move(Kept);
  return Found;
}

} // namespace echo
