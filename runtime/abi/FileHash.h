//===- FileHash.h - The hash of a file's contents ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether two files hold the same bytes, from all of them. echo-run and
// libecho-dr.so must agree on it. A hash that was made once is kept in a file
// of fixed records, by device, inode, size, mtime and ctime: a write changes
// ctime, which no program can set. A file that has changed within the last two
// seconds is hashed anew each time, since clocks of file systems are coarse.
// Stores through a shared mapping move mtime where they make a page dirty: the
// file is written out before it is hashed, so that the next store does. In
// memory (tmpfs) none ever does, and no hash is kept.
// Records are only appended, each by one write, so that processes need no lock.
// A record that is torn, or a file of records that another user could write, is
// not used. Needs the C library alone, allocates nothing, and never fails but
// for a file that cannot be read.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_FILEHASH_H
#define ECHO_RUNTIME_ABI_FILEHASH_H

#include "runtime/abi/DrTrace.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

namespace echo::dr {

/// A hash of bytes that come in any pieces: four lanes of 64-bit words, so that
/// gigabytes take less than a second each. For telling files apart, not against
/// who searches for equal hashes.
class ContentHash {
  static constexpr uint64_t P1 = 0x9e3779b185ebca87, P2 = 0xc2b2ae3d27d4eb4f,
                            P3 = 0x165667b19e3779f9;
  uint64_t Lanes[4] = {P1 + P2, P2, 0, 0 - P1};
  unsigned char Rest[32];
  size_t Held = 0;
  uint64_t Total = 0;

  static uint64_t turn(uint64_t V, int By) { return V << By | V >> (64 - By); }

  void block(const unsigned char *At) {
    for (uint64_t &Lane : Lanes) {
      uint64_t Word;
      memcpy(&Word, At, sizeof Word);
      At += sizeof Word;
      Lane = turn(Lane + Word * P2, 31) * P1;
    }
  }

public:
  void add(const void *Data, size_t Bytes) {
    const auto *At = static_cast<const unsigned char *>(Data);
    Total += Bytes;
    while (Bytes) {
      if (!Held && Bytes >= sizeof Rest) {
        block(At);
        At += sizeof Rest;
        Bytes -= sizeof Rest;
        continue;
      }
      const size_t Room = sizeof Rest - Held, Now = Bytes < Room ? Bytes : Room;
      memcpy(Rest + Held, At, Now);
      Held += Now;
      At += Now;
      Bytes -= Now;
      if (Held == sizeof Rest) {
        block(Rest);
        Held = 0;
      }
    }
  }

  uint64_t value() const {
    uint64_t Hash = fnv1a(Rest, Held, FnvBasis + Total);
    for (uint64_t Lane : Lanes)
      Hash = turn(Hash ^ turn(Lane * P2, 31) * P1, 27) * P1 + P3;
    Hash = (Hash ^ Hash >> 33) * P2;
    Hash = (Hash ^ Hash >> 29) * P3;
    Hash ^= Hash >> 32;
    return Hash ? Hash : 1; // 0: it cannot be read
  }
};

/// What tells one state of a file from another.
struct FileState {
  uint64_t Device, Inode, Size, Modified, Changed;
};

/// A line of the file of records.
struct HashRecord {
  FileState State;
  uint64_t Hash;
  uint64_t Check; ///< FNV-1a of the others
};
static_assert(sizeof(HashRecord) == 56);

inline uint64_t nanoseconds(const timespec &Time) {
  return static_cast<uint64_t>(Time.tv_sec) * 1000000000u +
         static_cast<uint64_t>(Time.tv_nsec);
}

inline FileState stateOf(const struct stat &S) {
  return {static_cast<uint64_t>(S.st_dev), static_cast<uint64_t>(S.st_ino),
          static_cast<uint64_t>(S.st_size), nanoseconds(S.st_mtim),
          nanoseconds(S.st_ctim)};
}

/// Another one for each way of hashing contents.
inline constexpr uint64_t HashVersion = 2;

inline uint64_t checkOf(const HashRecord &R) {
  return fnv1a(&R, offsetof(HashRecord, Check), FnvBasis + HashVersion);
}

/// A larger file of records is begun anew.
inline constexpr off_t MostHashBytes = off_t(8) << 20;

/// The hash of \p State in the open file \p Records; 0: it is not known.
inline uint64_t recordedHash(int Records, const FileState &State) {
  struct stat S;
  if (fstat(Records, &S) != 0 || !S_ISREG(S.st_mode) || S.st_uid != geteuid() ||
      S.st_mode & (S_IWGRP | S_IWOTH))
    return 0;
  HashRecord Some[64]; // the newest that fits is the last
  uint64_t Found = 0;
  ssize_t Got;
  for (off_t At = 0; (Got = pread(Records, Some, sizeof Some, At)) > 0;
       At += Got) {
    const size_t Count = static_cast<size_t>(Got) / sizeof *Some;
    if (!Count)
      break;
    for (size_t I = 0; I != Count; ++I)
      if (memcmp(&Some[I].State, &State, sizeof State) == 0 &&
          Some[I].Check == checkOf(Some[I]))
        Found = Some[I].Hash;
    Got = static_cast<ssize_t>(Count * sizeof *Some);
  }
  return Found;
}

/// Keeps \p R in \p Records, unless the file is so young that it may change
/// within the clock's step. False: it is not kept.
inline bool keepHash(int Records, HashRecord R) {
  constexpr uint64_t Fresh = 2000000000;
  timespec Now;
  struct stat Table;
  if (clock_gettime(CLOCK_REALTIME, &Now) != 0 ||
      R.State.Changed + Fresh >= nanoseconds(Now) ||
      fstat(Records, &Table) != 0 || !S_ISREG(Table.st_mode))
    return false;
  // A torn record would move all that follow.
  const bool Bad = Table.st_size > MostHashBytes ||
                   Table.st_size % static_cast<off_t>(sizeof R) != 0;
  if (Bad && ftruncate(Records, 0) != 0)
    return false;
  R.Check = checkOf(R);
  return write(Records, &R, sizeof R) == static_cast<ssize_t>(sizeof R);
}

/// Whether the next store through a mapping of the open file \p File will move
/// its mtime. \p State is what the file was before.
inline bool showsStores(int File, const FileState &State) {
  struct statfs System;
  struct stat S;
  if (fstatfs(File, &System) != 0)
    return false;
  constexpr unsigned long InMemory[] = {0x01021994, 0x858458f6, 0x958458f6};
  for (const unsigned long Type : InMemory) // tmpfs, ramfs, hugetlbfs
    if (static_cast<unsigned long>(System.f_type) == Type)
      return false;
  // A file system that cannot be written to refuses, and needs none.
  constexpr unsigned long ReadOnly = 1; // ST_RDONLY
  if (fdatasync(File) != 0 &&
      !(static_cast<unsigned long>(System.f_flags) & ReadOnly))
    return false;
  if (fstat(File, &S) != 0)
    return false;
  const FileState After = stateOf(S);
  return memcmp(&After, &State, sizeof After) == 0;
}

/// Adds what the open file \p File holds to \p Sum. Pages of zeros count by
/// their number: holes are not read, and are as good as zeros that were
/// written. False: it cannot be read.
inline bool addContents(int File, ContentHash &Sum, unsigned char *Buffer,
                        size_t Bytes) {
  constexpr uint64_t Page = 4096;
  uint64_t At = 0, Zeros = 0;
  Bytes -= Bytes % Page;
  for (;;) {
    // Where a file system has no holes, all is data.
    const off_t Data = lseek(File, static_cast<off_t>(At), SEEK_DATA);
    const bool NoMore = Data < 0 && errno == ENXIO;
    if (Data > 0 && static_cast<uint64_t>(Data) > At) {
      const uint64_t Next = static_cast<uint64_t>(Data) / Page * Page;
      Zeros += Next - At;
      At = Next;
    }
    size_t Held = 0;
    ssize_t Got = 1;
    while (Held != Bytes && Got > 0 && !NoMore) {
      Got = pread(File, Buffer + Held, Bytes - Held,
                  static_cast<off_t>(At + Held));
      Held += Got > 0 ? static_cast<size_t>(Got) : 0;
    }
    if (Got < 0)
      return false;
    for (size_t I = 0, N; I < Held; I += N) {
      N = Held - I < Page ? Held - I : Page;
      const unsigned char *P = Buffer + I;
      if (!*P && memcmp(P, P + 1, N - 1) == 0) {
        Zeros += N;
        continue;
      }
      if (Zeros)
        Sum.add(&Zeros, sizeof Zeros);
      Zeros = 0;
      Sum.add(P, N);
    }
    At += Held;
    if (Held == Bytes)
      continue;
    struct stat S;
    if (fstat(File, &S) != 0)
      return false;
    const uint64_t Size = static_cast<uint64_t>(S.st_size);
    Zeros += Size > At ? Size - At : 0;
    Sum.add(&Zeros, sizeof Zeros);
    return true;
  }
}

/// The hash of the contents of \p Path; 0 if it is no file that can be read.
/// \p Cache names the file of records; null or empty: there is none. \p Buffer
/// is where it reads to: a thread's stack may be small.
inline uint64_t contentHash(const char *Path, const char *Cache, void *Buffer,
                            size_t Bytes) {
  struct stat S;
  // Pipes and devices are not opened: somebody may wait for that.
  if (stat(Path, &S) != 0 || !S_ISREG(S.st_mode))
    return 0;
  const int File = open(Path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (File < 0 || fstat(File, &S) != 0 || !S_ISREG(S.st_mode)) {
    if (File >= 0)
      close(File);
    return 0;
  }
  HashRecord R = {stateOf(S), 0, 0};
  const int Records =
      Cache && *Cache
          ? open(Cache, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600)
          : -1;
  if (Records >= 0)
    R.Hash = recordedHash(Records, R.State);
  if (!R.Hash) {
    const bool Keeps = Records >= 0 && showsStores(File, R.State);
    ContentHash Sum;
    const bool Read =
        addContents(File, Sum, static_cast<unsigned char *>(Buffer), Bytes);
    R.Hash = Read ? Sum.value() : 0;
    if (R.Hash && Keeps && fstat(File, &S) == 0) {
      const FileState After = stateOf(S);
      if (memcmp(&After, &R.State, sizeof After) == 0)
        keepHash(Records, R); // else it was written to meanwhile
    }
  }
  if (Records >= 0)
    close(Records);
  close(File);
  return R.Hash;
}

} // namespace echo::dr

#endif
