//===- Main.cpp - Entry of the flag translator's unit tests ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds Catch2's main function, so that it is compiled once.
//
//===----------------------------------------------------------------------===//
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
