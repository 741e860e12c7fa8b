//===- Main.cpp - Entry of the unit tests of lib/Dr -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds Catch2's main function, so that it is compiled once.
//
//===----------------------------------------------------------------------===//
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
