//===- NextLibrary.cpp - Libraries that look further ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built twice: the first library's function asks for the next one of its name,
// as wrappers of malloc and of MPI do. It also has a function that is called as
// one of the driver's.
//
//===----------------------------------------------------------------------===//
#include <dlfcn.h>
#include <stdint.h>

extern "C" int doorTestNext() {
#ifdef LAST
  return 1;
#else
  auto Next = reinterpret_cast<int (*)()>(dlsym(RTLD_NEXT, "doorTestNext"));
  return Next == &doorTestNext ? -1000 : 1 + Next();
#endif
}

#ifndef LAST
extern "C" int cuMemFree_v2(uint64_t) { return -1; }
#endif
