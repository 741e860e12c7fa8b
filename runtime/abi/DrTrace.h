//===- DrTrace.h - The trace file of a profiled process ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout that libecho-dr.so writes and lib/Profile reads: one header page,
// then chunks of 64-byte records. The file is a shared mapping, so what was
// written stays readable however the process ends. A thread claims a chunk by
// one atomic addition and fills it in order; `kind` is written last, so a
// record whose kind is 0 was not written, and nothing follows it in its chunk.
// Records of one thread are in order of their end; threads are merged by time.
// The reader must trust nothing in a file: not the counts, not the flags.
//
// Text that belongs to a Module, Mark, Variable, File, Kernel or
// ProcessVariable record follows it in the same thread's next records, until
// one that is not Text.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_DRTRACE_H
#define ECHO_RUNTIME_ABI_DRTRACE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace echo::dr {

inline constexpr char TraceMagic[8] = {'E', 'C', 'H', 'O', 'D', 'R', 'T', '1'};
inline constexpr uint32_t TraceVersion = 1;
inline constexpr uint32_t TraceHeaderBytes = 4096;
inline constexpr uint32_t TraceRecordBytes = 64;
inline constexpr uint32_t TraceRecordsPerChunk = 1024;
inline constexpr uint32_t TraceTextBytes = 40;
inline constexpr uint64_t TraceDefaultBytes = uint64_t(64) << 20;
/// Smaller allocations and copies are not recorded.
inline constexpr uint64_t DrDefaultMinBytes = 204800;
/// Return addresses that make a site.
inline constexpr unsigned SiteFrames = 16;

enum class Record : uint8_t {
  None = 0,
#define DR_RECORD(name, number, text) name = number,
#include "runtime/abi/DrTrace.def"
};

enum class How : uint8_t {
  Unknown = 0,
#define DR_HOW(name, number, text) name = number,
#include "runtime/abi/DrTrace.def"
};

/// Memory that certainly is a device's own.
inline constexpr bool liesOnDevice(How H) {
  return H == How::Device || H == How::DeviceAsync || H == How::Pitched;
}

enum class Reason : uint8_t {
  None = 0,
#define DR_REASON(name, number, text) name = number,
#include "runtime/abi/DrTrace.def"
};

enum class Trap : uint8_t {
  None = 0,
#define DR_TRAP(name, number, text) name = number,
#include "runtime/abi/DrTrace.def"
};

/// Flags of Copy (of Set CopyAsync alone, unless it is a small copy). No
/// direction: it is not known.
enum CopyFlags : uint8_t {
  CopyH2D = 1,
  CopyD2H = 2,
  CopyD2D = 3,
  CopyH2H = 4,
  CopyDirection = 7,
  CopyAsync = 8,
};

/// Flags of Launch.
enum LaunchFlags : uint8_t { LaunchGraph = 1 };

/// Flags of File.
enum FileFlags : uint8_t {
  FileRead = 1,
  FileWritten = 2,
  FileLooked = 4,  ///< whether it is there, of what kind and mode
  FileStated = 8,  ///< its size and time, too
  FileListed = 16, ///< the names in a folder
  FileLink = 32,   ///< where a link leads to
  FileMade = 64,   ///< a folder, a pipe or a link of that name was made
  FileRemoved = 128,
  FileAll = 255
};
/// A of File, whose flags have no room: the name was asked of again and again
/// while the GPU was used. Flags are those of the last question.
inline constexpr uint64_t FilePolled = 1;

/// Flags of Child.
enum ChildFlags : uint8_t { ChildForked = 1 };

/// Flags of Process.
enum ProcessFlags : uint8_t { ProcessHasInputPipe = 1, ProcessHasPipe = 2 };

/// Standard input of a process, where it is no file's hash: nothing comes; the
/// one that echo-run had; a pipe from another process.
inline constexpr uint64_t ProcessInputNone = 0, ProcessInputLaunch = 1,
                          ProcessInputPipe = 2;

struct TraceRecord {
  uint8_t Kind = 0; ///< enum Record
  uint8_t Flags = 0;
  uint16_t Thread = 0; ///< number within the process, from 1 on
  int32_t Status = 0;  ///< what CUDA returned; 0 is success
  uint64_t Begin = 0;  ///< nanoseconds of CLOCK_MONOTONIC; of launches: when
                       ///< the first of them returned
  uint64_t End = 0;    ///< the same; of frees and launches: Begin
  uint64_t Site = 0;   ///< of calls at or over the threshold; else 0
  uint64_t A = 0;
  uint64_t B = 0;
  uint64_t Bytes = 0;
  /// Handle; 0 and 1: legacy default, 2: per-thread default.
  uint64_t Stream = 0;
};
static_assert(sizeof(TraceRecord) == TraceRecordBytes);
static_assert(offsetof(TraceRecord, Site) + TraceTextBytes == TraceRecordBytes);

/// A copy or set of no bytes waits for nothing and is no work.
inline bool isEmpty(const TraceRecord &R) {
  const auto Kind = static_cast<Record>(R.Kind);
  return !R.Bytes && (Kind == Record::Copy || Kind == Record::Set);
}

struct TraceHeader {
  char Magic[8];
  uint32_t Version;
  uint32_t RecordBytes;
  uint32_t HeaderBytes;
  uint32_t RecordsPerChunk;
  uint64_t NumChunks;
  uint64_t NextChunk;   ///< chunks claimed so far, may pass NumChunks; atomic
  uint64_t Dropped;     ///< records that found no room; atomic
  uint64_t StartNs;     ///< CLOCK_MONOTONIC
  uint64_t StartRealNs; ///< CLOCK_REALTIME
  uint64_t MinBytes;    ///< threshold
  uint32_t Pid;
  uint32_t ParentPid;
  uint64_t ExecutableHash; ///< FNV-1a of its build-id; of its path without one
  uint64_t InterposerHash; ///< the same of libecho-dr.so
  int32_t DriverVersion;   ///< 0: not known (no CUDA call was made)
  int32_t RuntimeVersion;
  uint32_t Finished; ///< 1: the process ended by exit
  uint32_t Api;      ///< first CUDA call came by: 1 the runtime, 2 the driver
  char Host[64];
  char DeviceName[128];
  char VisibleDevices[256];
  char BuildId[64]; ///< of the executable, hex; empty: it has none
  char Executable[1024];
  uint32_t PlanFits; ///< mode optimize: 0: not asked, 1: the device and CUDA's
                     ///< versions are those of the plan, 2: they are not
  char DeviceUuid[40];      ///< of the GPU, 8-4-4-4-12 digits; empty: not known
  uint32_t MappedUnwatched; ///< mode optimize: 1: the device lets no mapped
                            ///< memory be watched
};
static_assert(sizeof(TraceHeader) <= TraceHeaderBytes);

inline constexpr uint64_t FnvBasis = 14695981039346656037ull;
/// FNV-1a 64 of \p Bytes bytes at \p Data, continuing from \p Hash. Sites hash
/// (module hash, offset) of each frame, innermost first, as two little-endian
/// 64-bit numbers.
inline uint64_t fnv1a(const void *Data, size_t Bytes,
                      uint64_t Hash = FnvBasis) {
  const auto *P = static_cast<const unsigned char *>(Data);
  for (size_t I = 0; I != Bytes; ++I)
    Hash = (Hash ^ P[I]) * 1099511628211ull;
  return Hash;
}

/// Identifies a module that was loaded from \p Path: two files may have one
/// build-id, of which \p Hash is made, and other contents.
inline uint64_t moduleAt(uint64_t Hash, const char *Path) {
  return fnv1a(Path, strlen(Path), Hash);
}

} // namespace echo::dr

#endif
