//===- Bypass.cpp - What uses memory past page protection -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// System calls are made past the interposers, and none allocates: a look is no
// event of the program's.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Bypass.h"
#include "runtime/abi/CallWatch.h"
#include "runtime/dr/Clock.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/validate/OwnFile.h"
#include "runtime/dr/validate/Pages.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace echo::dr {

static bool startsWith(const char *Text, const char *Start) {
  return !strncmp(Text, Start, strlen(Start));
}

/// "/proc/PID/mem", "/proc/PID/task/TID/mem".
static bool isMemoryFile(const char *Path) {
  if (!startsWith(Path, "/proc/"))
    return false;
  const char *Last = strrchr(Path, '/');
  return !strcmp(Last, "/mem");
}

/// Devices that use no memory but that of a system call's own buffer; those of
/// NVIDIA's driver are CUDA's, and what they reach the interposers see. All
/// others may have pinned what they were given.
static bool isHarmlessDevice(const char *Path) {
  static const char *const Whole[] = {
      "/dev/null", "/dev/zero",    "/dev/full",   "/dev/random",
      "/dev/tty",  "/dev/urandom", "/dev/ptmx",   "/dev/console",
      "/dev/kmsg", "/dev/log",     "/dev/rtc0",   "/dev/cpu_dma_latency",
      "/dev/hpet", "/dev/fuse",    "/dev/nvmap",  "/dev/nvsciipc",
      "/dev/shm",  "/dev/mqueue",  "/dev/pts",    "/dev/hugepages",
      "/dev/fd",   "/dev/stdin",   "/dev/stdout", "/dev/stderr"};
  static const char *const Starts[] = {
      "/dev/shm/",  "/dev/mqueue/", "/dev/pts/",  "/dev/hugepages",
      "/dev/tty",   "/dev/nvhost",  "/dev/nvgpu", "/dev/nvidia",
      "/dev/vport", "/dev/hvc"};
  if (startsWith(Path, "/dev/nvidia-fs")) // GPUDirect Storage
    return false;
  for (const char *Name : Whole)
    if (!strcmp(Path, Name))
      return true;
  for (const char *Name : Starts)
    if (startsWith(Path, Name))
      return true;
  return false;
}

/// Cuts what the kernel adds to the name of a file that is no longer there.
/// False: nothing was added.
static bool cutDeleted(const char *Path, char *Name, size_t Room) {
  static const char Added[] = " (deleted)";
  const size_t Length = strlen(Path), Tail = sizeof Added - 1;
  struct stat Is;
  if (Length < Tail || Length - Tail >= Room ||
      strcmp(Path + Length - Tail, Added) != 0 || stat(Path, &Is) == 0)
    return false;
  memcpy(Name, Path, Length - Tail);
  Name[Length - Tail] = 0;
  return true;
}

Reason bypassNamed(const char *Path) {
  // Shared anonymous memory, of which CUDA's driver has some in each process,
  // is "/dev/zero (deleted)".
  if (char Name[256]; cutDeleted(Path, Name, sizeof Name))
    return bypassNamed(Name);
  if (strstr(Path, "[io_uring]"))
    return Reason::Ring;
  if (strstr(Path, "[userfaultfd]"))
    return Reason::UserFaults;
  if (startsWith(Path, "/[aio]"))
    return Reason::AioContext;
  if (isMemoryFile(Path))
    return Reason::MemoryFile;
  if (strstr(Path, "[vfio") || startsWith(Path, "anon_inode:iommufd") ||
      startsWith(Path, "/dmabuf:"))
    return Reason::DirectDevice;
  // A block device's pages are the system's, as a file's.
  struct stat Is;
  if (startsWith(Path, "/dev/") && !isHarmlessDevice(Path) &&
      !(stat(Path, &Is) == 0 && S_ISBLK(Is.st_mode)))
    return Reason::DirectDevice;
  return Reason::None;
}

/// The name that \p Link of the directory \p Folder leads to.
static Reason bypassAt(int Folder, const char *Link) {
  char Path[256];
  const long Length =
      systemCall(SYS_readlinkat, Folder, reinterpret_cast<long>(Link),
                 reinterpret_cast<long>(Path), sizeof Path - 1, 0);
  if (Length <= 0) // closed meanwhile, or there is no /proc
    return Reason::None;
  Path[Length] = 0;
  return bypassNamed(Path);
}

Reason bypassOf(int Fd) {
  if (Fd < 0)
    return Reason::None;
  char Link[48];
  nameOf("/proc/self/fd/", static_cast<unsigned>(Fd), "", Link);
  const int Error = errno;
  const Reason Found = bypassAt(AT_FDCWD, Link);
  errno = Error;
  return Found;
}

void noteOpened(int Fd) {
  if (!Watched.used() && mode() != Mode::Validate)
    return;
  if (const Reason Found = bypassOf(Fd); Found != Reason::None)
    dropOut(nullptr, Found);
}

namespace {
/// Who learns of buffers whose pages are others by now.
struct Told {
  void (*Replaced)(unsigned Slot, void *Data);
  void *Data;
};

/// When something costly was last done, and what it cost.
struct Pace {
  uint64_t Ended = 0, Took = 0;
};
} // namespace

static char Buffer[1 << 15]; ///< lock held

static Reason readDescriptors(const Told &) {
  const OwnFile Folder("/proc/self/fd", O_DIRECTORY);
  long Got = 0;
  while (Folder.Fd >= 0 &&
         (Got = Folder.get(SYS_getdents64, Buffer, sizeof Buffer)) > 0)
    for (long At = 0; At < Got;) {
      const auto *Entry = reinterpret_cast<dirent64 *>(Buffer + At);
      At += Entry->d_reclen;
      if (Entry->d_name[0] == '.' || atoi(Entry->d_name) == Folder.Fd)
        continue;
      if (const Reason R = bypassAt(Folder.Fd, Entry->d_name);
          R != Reason::None)
        return R;
    }
  return Folder.Fd < 0 || Got < 0 ? Reason::NoProc : Reason::None;
}

/// A watched buffer's pages must be those that it was given: anonymous memory
/// of this process alone.
static void compare(uintptr_t From, uintptr_t To, bool Private,
                    const char *Path, const Told &Who) {
  if (Private && *Path != '/')
    return;
  for (unsigned I = 0; I != Watched.used(); ++I) {
    uintptr_t Start = 0;
    size_t Bytes = 0;
    Watched.mapping(I, Start, Bytes);
    if (Watched.live(I) && From < Start + Bytes && Start < To)
      Who.Replaced(I, Who.Data);
  }
}

/// One line of /proc/self/maps: "FROM-TO PERMISSIONS OFFSET DEVICE INODE PATH".
static Reason judgeMapping(const char *Line, const Told &Who) {
  char *At = nullptr;
  const uintptr_t From = strtoull(Line, &At, 16);
  const uintptr_t To = strtoull(At + 1, &At, 16);
  const bool Private = strlen(At) > 4 && At[4] == 'p';
  const char *Path = At;
  for (unsigned Field = 0; Field != 4 && Path; ++Field)
    Path = strchr(Path + 1, ' ');
  while (Path && *Path == ' ')
    ++Path;
  if (!Path)
    Path = "";
  compare(From, To, Private, Path, Who);
  return bypassNamed(Path);
}

static Reason readMappings(const Told &Who) {
  const OwnFile Maps("/proc/self/maps", 0);
  size_t Held = 0;
  long Got = 0;
  while (Maps.Fd >= 0 && (Got = Maps.get(SYS_read, Buffer + Held,
                                         sizeof Buffer - 1 - Held)) > 0) {
    Held += static_cast<size_t>(Got);
    Buffer[Held] = 0;
    char *Line = Buffer;
    while (char *End = strchr(Line, '\n')) {
      *End = 0;
      if (const Reason R = judgeMapping(Line, Who); R != Reason::None)
        return R;
      Line = End + 1;
    }
    Held -= static_cast<size_t>(Line - Buffer);
    memmove(Buffer, Line, Held);
  }
  return Maps.Fd < 0 || Got < 0 ? Reason::NoProc : Reason::None;
}

/// How many descriptors there are; 0 where the kernel (before 6.2) does not
/// tell.
static uint64_t countDescriptors() {
  struct stat Is;
  return stat("/proc/self/fd", &Is) == 0 ? static_cast<uint64_t>(Is.st_size)
                                         : 0;
}

/// How much room the contexts of asynchronous I/O of all processes have.
static bool readAioRoom(uint64_t &Room) {
  const OwnFile Count("/proc/sys/fs/aio-nr", 0);
  char Text[32];
  const long Got = Count.Fd < 0 ? -1 : Count.get(SYS_read, Text, sizeof Text);
  if (Got <= 0)
    return false;
  Text[Got - 1] = 0; // the line's end
  Room = strtoull(Text, nullptr, 10);
  return true;
}

static bool probeIsAnswered() {
  const int Error = errno;
  const bool Answered =
      systemCall(SYS_process_vm_readv, 0, 0, ProbeWord, 0, 0) == ProbeAnswer;
  errno = Error;
  return Answered;
}

CallsAre watchOfCalls() {
  const char *Expected = getenv("ECHO_DR_CALLS");
  static const CallsAre Known = !Expected || !*Expected ? CallsAre::NoMatter
                                : probeIsAnswered()     ? CallsAre::Watched
                                                        : CallsAre::Unseen;
  return Known;
}

Reason findBypass(bool All, void (*Replaced)(unsigned Slot, void *Data),
                  void *Data) {
  static uint64_t Descriptors, AioRoom = 0;
  static Pace OfLooks, OfDescriptors, OfMappings;
  const uint64_t Start = clockNs();
  // What comes and goes between two looks, echo-run sees; or there is no pause.
  const bool IsWatched = watchOfCalls() == CallsAre::Watched;
  const uint64_t Seldom = IsWatched ? 40 : 20; // part of the time that it takes
  if (!All && IsWatched && Start - OfLooks.Ended < Seldom * OfLooks.Took)
    return Reason::None;
  const int Error = errno;
  const auto Paced = [&](Pace &P, bool Must, bool Counted,
                         Reason (*Read)(const Told &)) {
    const uint64_t Begin = clockNs();
    if (!Must && Begin - P.Ended < (Counted ? Seldom : 2) * P.Took)
      return Reason::None;
    const Reason Found = Read({Replaced, Data});
    P.Ended = clockNs();
    P.Took = P.Ended - Begin;
    return Found;
  };
  const uint64_t Now = countDescriptors();
  uint64_t Room = 0;
  const bool Counted = readAioRoom(Room);
  OfLooks.Ended = clockNs();
  OfLooks.Took = OfLooks.Ended - Start;
  Reason Found =
      Paced(OfDescriptors, All || Now != Descriptors, Now, readDescriptors);
  Descriptors = Now;
  if (Found == Reason::None)
    Found = Paced(OfMappings, All || Room != AioRoom, Counted, readMappings);
  AioRoom = Room;
  errno = Error;
  return Found;
}

} // namespace echo::dr
