//===- NvccArch.cpp - nvcc's GPU architecture flags -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang makes one device image per --offload-arch and adds its PTX where
// --cuda-include-ptx names it; nvcc names images and PTX one by one. What
// clang knows is asked from clang, what the toolkit knows is given as limits.
//
//===----------------------------------------------------------------------===//
#include "nvcc/NvccArch.h"
#include "clang/Basic/OffloadArch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace echo {

/// All of NVIDIA's, oldest first.
static constexpr unsigned Numbers[] = {50, 52,  53,  60,  61,  62,  70,
                                       72, 75,  80,  86,  87,  88,  89,
                                       90, 100, 101, 103, 110, 120, 121};

static void addOnce(std::vector<std::string> &To, const std::string &Text) {
  if (!is_contained(To, Text))
    To.push_back(Text);
}

static bool clangKnows(StringRef Name) {
  clang::OffloadArch A = clang::StringToOffloadArch(Name);
  return A != clang::OffloadArch::UNKNOWN && clang::IsNVIDIAOffloadArch(A);
}

static std::string smName(unsigned Number) {
  return "sm_" + std::to_string(Number);
}

/// CUDA 13 gave sm_101 the name sm_110, and is the first to stop at sm_75.
static bool isCuda13(const ArchLimits &Limits) { return Limits.MinSM >= 75; }

static bool canCompile(const ArchLimits &Limits, unsigned Number) {
  if (!is_contained(Numbers, Number) || !clangKnows(smName(Number)))
    return false;
  if (Limits.MinSM == 0)
    return true;
  if (Number < Limits.MinSM || Number > Limits.MaxSM)
    return false;
  // Both names of one chip: the toolkit has the older or the newer.
  if (Number == 101)
    return !isCuda13(Limits);
  return isCuda13(Limits) || (Number != 110 && Number != 88);
}

/// The newest that is not newer than \p Number, else the oldest of all.
std::string ArchRequest::nearest(StringRef Name, unsigned Number) {
  if (Number == 101 && canCompile(Limits, 110))
    Number = 110;
  unsigned Best = 0;
  for (unsigned N : Numbers)
    if (canCompile(Limits, N) && (N <= Number || Best == 0))
      Best = N;
  std::string Text = Name.str() +
                     " is not supported by this CUDA toolkit and "
                     "compiler; compiling for " +
                     smName(Best);
  addOnce(Found, Text);
  return smName(Best);
}

Error ArchRequest::add(StringRef Flag, StringRef Name, bool WithPtx) {
  StringRef Digits = Name;
  bool Virtual = Digits.consume_front("compute_");
  bool Lto = !Virtual && Digits.consume_front("lto_");
  unsigned Number = 0;
  if ((!Virtual && !Lto && !Digits.consume_front("sm_")) ||
      Digits.consumeInteger(10, Number) ||
      !(Digits.empty() || Digits == "a" || Digits == "f"))
    return createStringError("'" + Name + "' in '" + Flag +
                             "' is no GPU architecture; write sm_90, "
                             "compute_90, native, all or all-major");
  std::string Sm = smName(Number) + Digits.str();
  if (!canCompile(Limits, Number) || !clangKnows(Sm))
    Sm = nearest(Name, Number);
  addOnce(Images, Sm);
  if (WithPtx || Virtual)
    addOnce(Ptx, Sm);
  return Error::success();
}

std::vector<unsigned> ArchRequest::all() const {
  std::vector<unsigned> All;
  copy_if(Numbers, std::back_inserter(All),
          [this](unsigned N) { return canCompile(Limits, N); });
  return All;
}

Error ArchRequest::addAll(bool MajorOnly) {
  unsigned Newest = 0, NewestMajor = 0;
  for (unsigned N : all()) {
    if (!MajorOnly || N % 10 == 0 || Newest == 0)
      addOnce(Images, smName(N));
    Newest = N;
    if (N % 10 == 0)
      NewestMajor = N;
  }
  addOnce(Ptx, smName(NewestMajor ? NewestMajor : Newest));
  return Error::success();
}

Error ArchRequest::arch(StringRef Name) {
  if (Name == "all" || Name == "all-major")
    return addAll(Name == "all-major");
  if (Name == "native") {
    std::vector<std::string> Native;
    if (Limits.Native)
      Native = Limits.Native();
    if (Native.empty())
      Found.push_back("-arch=native: no GPU was found on this machine; "
                      "compiling for the default architecture");
    for (const std::string &Sm : Native)
      if (Error E = add("-arch=native", Sm, /*WithPtx=*/false))
        return E;
    return Error::success();
  }
  Arch = Name.str();
  return Error::success();
}

Error ArchRequest::code(StringRef Name) {
  HasCode = true;
  return add("-code", Name, /*WithPtx=*/false);
}

Error ArchRequest::gencode(StringRef Spec) {
  std::string Flag = ("-gencode " + Spec).str();
  // Quotes survive in Makefiles; brackets are nvcc's own.
  std::string Clean;
  for (char C : Spec)
    if (!StringRef("\"'[] ").contains(C))
      Clean += C;
  StringRef Text = Clean;
  if (!Text.consume_front("arch="))
    return createStringError("'" + Flag +
                             "' must look like arch=compute_90,code=sm_90");
  auto [ArchName, Rest] = Text.split(',');
  if (Rest.empty())
    return add(Flag, ArchName, /*WithPtx=*/true);
  if (!Rest.consume_front("code="))
    return createStringError("'" + Flag +
                             "' must look like arch=compute_90,code=sm_90");
  SmallVector<StringRef> Codes;
  Rest.split(Codes, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Code : Codes)
    if (Error E = add(Flag, Code, /*WithPtx=*/false))
      return E;
  return Error::success();
}

Expected<std::vector<std::string>>
ArchRequest::finish(std::vector<std::string> &Notes) {
  std::vector<std::string> Args;
  // With -code, -arch only names the language level of the device code.
  if (!Arch.empty() && !HasCode)
    if (Error E = add("-arch", Arch, /*WithPtx=*/true))
      return std::move(E);
  for (const std::string &Sm : Images) {
    Args.push_back("--offload-arch=" + Sm);
    if (is_contained(Ptx, Sm))
      Args.push_back("--cuda-include-ptx=" + Sm);
  }
  Notes.insert(Notes.end(), Found.begin(), Found.end());
  return Args;
}

} // namespace echo
