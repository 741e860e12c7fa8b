//===- FakeCuda.h - A scripted CUDA runtime for echort's tests --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test double: it defines the functions that echort calls, answers from a
// script, and logs the calls. It moves nothing and runs nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_RT_FAKECUDA_H
#define ECHO_TEST_UNIT_RT_FAKECUDA_H

#include <map>
#include <string>
#include <vector>

namespace fake {

struct Script {
  /// Answers of cudaDeviceGetAttribute; an absent one is an error.
  std::map<int, int> Attributes = {{16, 8}, {18, 1}, {37, 128},
                                   {75, 9}, {76, 0}, {88, 1},
                                   {89, 1}, {99, 1}, {100, 1}};
  int Devices = 1;
  size_t TotalMemory = size_t(1) << 40;
  bool Busy = false;               ///< what cudaStreamQuery says
  bool CaptureInProgress = false;  ///< in a blocking stream
  bool MappedElsewhere = false;    ///< device pointer of mapped memory differs
  unsigned FailCall = 0;           ///< this call, counted from 1, fails
  bool FailAllocations = false;    ///< there is no memory; atomic
  int SyncError = 0;               ///< reported by waits
  std::map<std::string, int> Fail; ///< function -> error of every call
};

/// The script in force; change it before the calls it is meant for.
Script &script();

/// The calls so far that are not pure queries, as "name" or "name(stream)";
/// "wait" for a free that waits for the device.
std::vector<std::string> takeLog();
/// All calls so far, of any kind.
unsigned calls();
unsigned calls(const std::string &Name);
/// Allocations of managed and mapped memory that are alive, but those of one
/// page.
unsigned liveAllocations();
unsigned livePages();
/// Ranges that are registered now.
unsigned registered();
/// Pretends that the device was reset: all handles and memory are gone. If \p
/// Reused, other memory of the program lies at the same places since.
void resetDevice(bool Reused = false);
/// From now on there is no memory, or is again. Any thread may call it.
void failAllocations(bool Fail);
/// What the program itself caused.
void setLastError(int Error);
int lastError();
void selectDevice(int Device);
int currentDevice();

} // namespace fake

#endif
