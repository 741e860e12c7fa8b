//===- NoProfile.cpp - No process is profiled -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions for I/O ask of the profile, and of libraries, in tests
// that have none.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Real.h"
#include "runtime/dr/interposers/Surroundings.h"
#include "runtime/dr/validate/Libraries.h"

namespace echo::dr {
bool CodeIsOwn = false; ///< whoever calls is Echo itself
}

bool echo::dr::isOwnCode(const void *) { return CodeIsOwn; }
bool echo::dr::isRecorded(const void *) { return false; }
void echo::dr::fileAsked(int, const char *, uint16_t) {}
void echo::dr::descriptorChanged(int, int, const void *) {}
void echo::dr::folderListed(int, const void *) {}
void echo::dr::outputAsked(int, const void *, const char *(*)(int)) {}
bool echo::dr::isCudasOwn(const void *) { return false; }
