//===- ApiCoverageTest.cpp - Every supported row is served ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes the address of every call that CudaApi.def says the device serves, with
// its per-thread variant: a row without a definition does not link.
//
//===----------------------------------------------------------------------===//
#include <catch2/catch.hpp>

#define DECLARE_none(Name) void Name();
#define DECLARE_ptds(Name)                                                     \
  void Name();                                                                 \
  void Name##_ptds();
#define DECLARE_ptsz(Name)                                                     \
  void Name();                                                                 \
  void Name##_ptsz();
#define DECLARE_Regular(Name, Suffix) DECLARE_##Suffix(Name)
#define DECLARE_Irregular(Name, Suffix) DECLARE_##Suffix(Name)
#define DECLARE_Unsupported(Name, Suffix)

#define TAKE_none(Name) {#Name, Name},
#define TAKE_ptds(Name) {#Name, Name}, {#Name "_ptds", Name##_ptds},
#define TAKE_ptsz(Name) {#Name, Name}, {#Name "_ptsz", Name##_ptsz},
#define TAKE_Regular(Name, Suffix) TAKE_##Suffix(Name)
#define TAKE_Irregular(Name, Suffix) TAKE_##Suffix(Name)
#define TAKE_Unsupported(Name, Suffix)

extern "C" {
#define CUDA_API(Name, Kind, Args, Suffix, Row) DECLARE_##Row(Name, Suffix)
#include "runtime/abi/CudaApi.def"
void __cudaRegisterFatBinary();
void __cudaRegisterFatBinaryEnd();
void __cudaUnregisterFatBinary();
void __cudaRegisterFunction();
void __cudaRegisterVar();
void __cudaRegisterManagedVar();
}

TEST_CASE("every supported call is defined") {
  struct {
    const char *Name;
    void (*Address)();
  } Calls[] = {
#define CUDA_API(Name, Kind, Args, Suffix, Row) TAKE_##Row(Name, Suffix)
#include "runtime/abi/CudaApi.def"
      TAKE_none(__cudaRegisterFatBinary) TAKE_none(__cudaRegisterFatBinaryEnd)
          TAKE_none(__cudaUnregisterFatBinary) TAKE_none(__cudaRegisterFunction)
              TAKE_none(__cudaRegisterVar) TAKE_none(__cudaRegisterManagedVar)};
  for (auto &C : Calls) {
    INFO(C.Name);
    CHECK(C.Address != nullptr);
  }
}
