//===- Seeds.h - Valid files to damage --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans and traces in which every key, kind of record and word comes.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_DR_MUTATIONS_SEEDS_H
#define ECHO_TEST_UNIT_DR_MUTATIONS_SEEDS_H

#include <string>
#include <vector>

std::vector<std::string> planSeeds();

struct TraceSeed {
  std::string Bytes;
  size_t Used; ///< nothing but zeros lies behind
};
std::vector<TraceSeed> traceSeeds();

#endif
