//===- Main.cpp - Catch's main --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// More than one worker, on any machine.
//
//===----------------------------------------------------------------------===//
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include <cstdlib>

static const int TwoWorkers = setenv("ECHO_CPU_THREADS", "2", 0);
