//===- SystemDlsym.cpp - The C library's dlsym ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands for the driver interposer in tests that have none.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/driver/Resolve.h"

#include <dlfcn.h>

echo::dr::DlsymFunction echo::dr::realDlsym() { return &dlsym; }
