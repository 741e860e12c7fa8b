//===- Trace.h - The records of one profiled process ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads trace files (runtime/abi/DrTrace.h). A file may end anywhere, hold
// records that were never finished, or be anything at all: what can be read is
// read, nothing outside the file is touched, and what is missing is counted.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_TRACE_H
#define ECHO_PROFILE_TRACE_H

#include "runtime/abi/DrTrace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace echo::drtool {

using dr::TraceRecord;

struct CodeAddress {
  uint64_t Module = 0, Offset = 0;
};

struct Trace {
  std::string File; ///< where it was read from; empty: from memory
  uint32_t Pid = 0, ParentPid = 0;
  uint64_t StartNs = 0, MinBytes = 0;
  uint64_t ExecutableHash = 0, InterposerHash = 0;
  uint32_t Driver = 0, Runtime = 0;
  std::string Executable, BuildId, Host, Device, Uuid, VisibleDevices;
  bool Finished = false;
  bool ByDriver =
      false; ///< the first CUDA call came by the driver's interposer
  /// Mode optimize: whether the plan is for this process, if that was asked.
  std::optional<bool> PlanFits;
  bool MappedUnwatched = false; ///< the device lets no mapped memory be watched
  uint64_t Dropped = 0;         ///< records that found no room
  uint64_t Unreadable = 0; ///< records of no known kind, or impossible ones
  bool Short = false;      ///< the file ends before the records do
  bool lacksRecords() const { return Dropped || Short || Unreadable; }

  /// In order of their begin; no Text, Module, Frame or Kernel among them.
  std::vector<TraceRecord> Events;
  std::map<uint64_t, std::string> Modules;            ///< hash to path
  std::map<uint64_t, std::vector<CodeAddress>> Sites; ///< innermost first
  /// Names of Mark records: a Mark's B is its position here.
  std::vector<std::string> Marks;
  /// A kernel that was launched: its mangled name, or where what stands for it
  /// is. By function, as launches name it.
  struct Kernel {
    std::string Name;
    CodeAddress Place;
  };
  std::map<uint64_t, Kernel> Kernels;
  /// Environment variables that it asked for, and files that it opened, each
  /// with dr::FileFlags. MoreFiles: there were more than were recorded.
  std::set<std::string> Variables;
  std::map<std::string, uint8_t> Files;
  /// Those that it asked of again and again while it used the GPU, with what it
  /// asked last.
  std::map<std::string, uint8_t> Polled;
  bool MoreFiles = false;
  /// Names that it made, removed or renamed, or whose mode, owner, times or
  /// attributes it changed.
  std::set<std::string> Changed;
  /// What it began with, as hashes, and its environment: hashes of values by
  /// name. Nothing where the trace does not say.
  struct Process {
    uint64_t Arguments = 0, Folder = 0, Input = 0, Inherited = 0, Limits = 0;
    uint8_t Flags = 0; ///< dr::ProcessFlags
  };
  std::optional<Process> Began;
  std::map<std::string, uint64_t> Environment;
  /// Processes that it forked, and what else it started.
  unsigned Forks = 0;
  std::set<std::string> Starts;

  /// "name+0x12" of a site's frame \p Index, or "" if it is not known.
  std::string frameText(uint64_t Site, size_t Index) const;
  /// The file name of a module; its hash if it is not known.
  std::string moduleText(uint64_t Hash) const;
};

/// Reads the bytes of a file. Empty if it is no trace; \p Why then says why.
std::optional<Trace> parseTrace(std::string_view Bytes, std::string &Why);

/// Reads \p File, of which no more than what was written is loaded.
std::optional<Trace> readTrace(const std::string &File, std::string &Why);

/// All traces in \p Folder, by process id. Files that cannot be read are named
/// in \p Problems.
std::vector<Trace> readTraces(const std::string &Folder,
                              std::vector<std::string> &Problems);

} // namespace echo::drtool

#endif
