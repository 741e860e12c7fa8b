//===- LinkedTest.cpp - A program that is linked with the driver ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls the driver's symbols directly. With Echo preloaded each call is told
// once and runs once; with ECHO_DR_MODE unset nothing is told.
//
//===----------------------------------------------------------------------===//
#include "FakeCore.h"
#include "test/dr/fake-libcuda/FakeDriver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" {
int cuMemAlloc_v2(uint64_t *, size_t);
int cuMemFree_v2(uint64_t);
int cuMemcpyHtoD_v2(uint64_t, const void *, size_t);
int cuMemcpyDtoH_v2(void *, uint64_t, size_t);
int cuLaunchKernel(const FakeKernel *, unsigned, unsigned, unsigned, unsigned,
                   unsigned, unsigned, unsigned, void *, void **, void **);
}

static int check(bool Good, const char *What) {
  if (!Good)
    fprintf(stderr, "failed: %s\n", What);
  return !Good;
}

static void addOne(uint64_t *P) {
  auto *D = reinterpret_cast<char *>(P[0]);
  for (uint64_t I = 0; I != P[1]; ++I)
    ++D[I];
}

int main() {
  static FakeKernel Kernel = {addOne, 2};
  char In[64], Out[64];
  memset(In, 41, sizeof In);
  uint64_t D = 0, N = sizeof In;
  int Bad = 0;
  Bad += check(!cuMemAlloc_v2(&D, N), "allocates");
  Bad += check(!cuMemcpyHtoD_v2(D, In, N), "copies there");
  void *Params[] = {&D, &N};
  Bad += check(
      !cuLaunchKernel(&Kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, Params, nullptr),
      "launches");
  Bad += check(!cuMemcpyDtoH_v2(Out, D, N), "copies back");
  Bad += check(Out[0] == 42 && Out[63] == 42, "computes");
  Bad += check(!cuMemFree_v2(D), "frees");
  Bad += check(fakeCalls("cuMemcpyHtoD_v2") == 1, "the driver ran it once");
  auto Ask = reinterpret_cast<unsigned (*)(Told *, unsigned)>(
      dlsym(RTLD_DEFAULT, "fakeCoreTold"));
  Told T[16];
  const unsigned Wanted = getenv("FAKE_CORE_OFF") ? 0 : 5;
  Bad += check(Ask && Ask(T, 16) == Wanted, "told once each");
  return Bad != 0;
}
