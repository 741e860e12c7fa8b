// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define NOTHING
#include "repair_held.extra.cpp"
