//===- Main.cpp - Runs the driver's unit tests ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Catch2's main function.
//
//===----------------------------------------------------------------------===//
#define CATCH_CONFIG_MAIN
#include "catch2/catch.hpp"
