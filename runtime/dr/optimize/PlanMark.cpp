//===- PlanMark.cpp - What a run finds out is kept in the plan ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text stays as it was but for one null that becomes a string, and the
// checksum. The pair is looked up in the file as it is now: echo-run may have
// written another since this process read it.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/PlanMark.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace echo::dr {

namespace {

constexpr size_t MostReason = 400;

/// The file at \p Path, locked against others that mark it.
class LockedFile {
public:
  explicit LockedFile(const char *Path) {
    // Who held the lock before may have put another file in its place.
    for (int Tries = 0; Tries != 100; ++Tries) {
      Fd = open(Path, O_RDONLY | O_CLOEXEC);
      struct stat Now;
      if (Fd < 0 || (flock(Fd, LOCK_EX) == 0 && fstat(Fd, &Info) == 0 &&
                     stat(Path, &Now) == 0 && Now.st_ino == Info.st_ino &&
                     Now.st_dev == Info.st_dev))
        return;
      close(Fd);
      Fd = -1;
    }
  }
  ~LockedFile() {
    if (Fd >= 0)
      close(Fd);
  }
  LockedFile(const LockedFile &) = delete;
  LockedFile &operator=(const LockedFile &) = delete;

  bool there() const { return Fd >= 0 && Info.st_size > 0; }
  size_t size() const { return static_cast<size_t>(Info.st_size); }
  mode_t mode() const { return Info.st_mode & 0777; }
  void *map() const {
    return mmap(nullptr, size(), PROT_READ, MAP_PRIVATE, Fd, 0);
  }

private:
  int Fd = -1;
  struct stat Info = {};
};

/// Memory for \p Bytes, given back with the object.
class Room {
public:
  explicit Room(size_t Bytes) : Bytes(Bytes) {
    void *M = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    At = M == MAP_FAILED ? nullptr : M;
  }
  Room(void *Mapped, size_t Bytes)
      : At(Mapped == MAP_FAILED ? nullptr : Mapped), Bytes(Bytes) {}
  ~Room() {
    if (At)
      munmap(At, Bytes);
  }
  Room(const Room &) = delete;
  Room &operator=(const Room &) = delete;
  template <class T> T *as() const { return static_cast<T *>(At); }

private:
  void *At;
  size_t Bytes;
};

/// \p Why as a string of JSON; returns its end.
char *quote(const char *Why, char *Out) {
  *Out++ = '"';
  for (size_t I = 0; Why[I] && I != MostReason; ++I) {
    const auto C = static_cast<unsigned char>(Why[I]);
    const bool Plain = C >= ' ' && C < 0x7f && C != '"' && C != '\\';
    *Out++ = Plain ? Why[I] : '?';
  }
  *Out++ = '"';
  return Out;
}

const PlanPair *find(const PlanFile &Plan, const PlanPair &Pair) {
  for (unsigned I = 0; I != Plan.NumPairs; ++I) {
    const PlanPair &P = Plan.Pairs[I];
    if (P.HostSite == Pair.HostSite && P.DeviceSite == Pair.DeviceSite &&
        P.Bytes == Pair.Bytes)
      return &P;
  }
  return nullptr;
}

bool writeAll(int Fd, const char *Text, size_t Size) {
  while (Size) {
    const ssize_t N = write(Fd, Text, Size);
    if (N <= 0)
      return false;
    Text += N;
    Size -= static_cast<size_t>(N);
  }
  return true;
}

bool replaceFile(const char *Path, mode_t Mode, const char *Text, size_t Size) {
  char New[4096 + 32];
  const int Length = snprintf(New, sizeof New, "%s.%d", Path, getpid());
  if (Length < 0 || static_cast<size_t>(Length) >= sizeof New)
    return false;
  // The program's own limit would end it.
  rlimit Most;
  if (getrlimit(RLIMIT_FSIZE, &Most) != 0 || Most.rlim_cur < Size)
    return false;
  const int Fd = open(New, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, Mode);
  if (Fd < 0)
    return false;
  bool Written = writeAll(Fd, Text, Size);
  Written &= close(Fd) == 0;
  if (Written && rename(New, Path) == 0)
    return true;
  unlink(New);
  return false;
}

} // namespace

static char Remembered[4096];

bool rememberPlanFile() {
  const char *Path = getenv("ECHO_DR_PLAN");
  char Place[sizeof Remembered];
  size_t Length = 0;
  if (Path && *Path != '/') {
    if (!getcwd(Place, sizeof Place - 1))
      return false;
    Length = strlen(Place);
    Place[Length++] = '/';
  }
  if (!Path || Length + strlen(Path) >= sizeof Place)
    return false;
  strcpy(Place + Length, Path);
  strcpy(Remembered, Place);
  return true;
}

const char *rememberedPlanFile() { return Remembered; }

const char *disableInPlan(const char *Path, const PlanPair &Pair,
                          const char *Why) {
  const LockedFile File(Path);
  if (!File.there())
    return "it cannot be read";
  const Room Old(File.map(), File.size());
  const Room Parsed(sizeof(PlanFile));
  const Room New(File.size() + MostReason + 2);
  if (!Old.as<char>() || !Parsed.as<char>() || !New.as<char>())
    return "there is no memory to change it";
  const char *Text = Old.as<char>();
  auto *Plan = Parsed.as<PlanFile>();
  if (const char *Problem = parsePlan(Text, File.size(), *Plan))
    return Problem;
  const PlanPair *P = find(*Plan, Pair);
  if (!P)
    return "it has no such pair any more";
  if (!P->NullAt)
    return nullptr;
  constexpr size_t Null = 4, Digits = 16, End = sizeof drplan::ChecksumEnd - 1;
  char *At = New.as<char>();
  memcpy(At, Text, P->NullAt);
  char *Behind = quote(Why, At + P->NullAt);
  const size_t Rest = File.size() - P->NullAt - Null;
  memcpy(Behind, Text + P->NullAt + Null, Rest);
  char *Last = Behind + Rest;
  char *Sum = Last - End - Digits;
  const auto Checked =
      static_cast<size_t>(Sum - At) - (sizeof drplan::ChecksumKey - 1);
  drplan::hexDigits(fnv1a(At, Checked), Sum);
  return replaceFile(Path, File.mode(), At, static_cast<size_t>(Last - At))
             ? nullptr
             : "it cannot be written";
}

} // namespace echo::dr
