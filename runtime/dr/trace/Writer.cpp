//===- Writer.cpp - Writes the trace of a process -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record's kind is stored last, with release: a reader never takes a record
// that was cut short for one that was written.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/trace/Writer.h"
#include "runtime/abi/ByteCount.h"
#include "runtime/dr/Clock.h"
#include "runtime/dr/DeviceUuid.h"
#include "runtime/dr/NotCancelled.h"
#include "runtime/dr/Threads.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace echo::dr {

static constexpr uint64_t ChunkBytes =
    uint64_t(TraceRecordsPerChunk) * TraceRecordBytes;
/// MADV_POPULATE_WRITE (Linux 5.14), which older headers lack.
static constexpr int PopulateWrite = 23;
static constexpr unsigned long long LeastBytes = TraceHeaderBytes + ChunkBytes;

static char Folder[1024];
static char Path[1152];
static uint64_t FileBytes = TraceDefaultBytes;
static TraceHeader *Header;  ///< of this process; atomic
static TraceHeader *Parents; ///< of the process that forked this one
static uint64_t Mapped;
static uint64_t Limit;  ///< chunks that may be claimed; atomic
static int State;       ///< 0: no file yet, 1: being made, 2: there, 3: failed
static uint64_t Missed; ///< records, before the file was there; atomic
static bool Wanted;     ///< it holds more than memory of the host's
static int DeviceState; ///< 0: the header has no device yet; atomic

bool prepareTrace() {
  const char *Where = getenv("ECHO_DR_TRACE");
  if (!Where || !*Where || strlen(Where) >= sizeof Folder) {
    say("ECHO_DR_TRACE names no folder for traces: the program runs "
        "unchanged");
    return false;
  }
  // The program may change its folder later.
  if (*Where != '/') {
    char Here[512];
    if (!getcwd(Here, sizeof Here) ||
        snprintf(Folder, sizeof Folder, "%s/%s", Here, Where) >=
            static_cast<int>(sizeof Folder)) {
      say("the folder of traces %.200s cannot be found: the program runs "
          "unchanged",
          Where);
      return false;
    }
  } else {
    strcpy(Folder, Where);
  }
  if (access(Folder, W_OK | X_OK) != 0) {
    say("traces cannot be written to %.200s (%s): the program runs unchanged",
        Folder, strerror(errno));
    return false;
  }
  if (const char *Bytes = getenv("ECHO_DR_TRACE_BYTES"); Bytes && *Bytes) {
    uint64_t Asked = 0;
    if (!readByteCount(Bytes, Asked) || Asked < LeastBytes)
      say("ECHO_DR_TRACE_BYTES=%.64s is not a number of bytes of at least "
          "%llu: %llu is "
          "used",
          Bytes, LeastBytes, static_cast<unsigned long long>(FileBytes));
    else
      FileBytes = Asked;
  }
  return true;
}

static void copyText(char *To, size_t Room, const char *From) {
  strncpy(To, From ? From : "", Room - 1);
}

static void fillHeader(TraceHeader &H, uint64_t Chunks) {
  H.Version = TraceVersion;
  H.RecordBytes = TraceRecordBytes;
  H.HeaderBytes = TraceHeaderBytes;
  H.RecordsPerChunk = TraceRecordsPerChunk;
  H.NumChunks = Chunks;
  H.StartNs = clockNs();
  H.StartRealNs = clockNs(CLOCK_REALTIME);
  H.MinBytes = minBytes();
  H.Pid = static_cast<uint32_t>(getpid());
  H.ParentPid = static_cast<uint32_t>(getppid());
  ModuleInfo Program = executableModule(), Own = ownModule();
  H.ExecutableHash = Program.Hash;
  H.InterposerHash = Own.Hash;
  copyText(H.BuildId, sizeof H.BuildId, Program.BuildId);
  copyText(H.Executable, sizeof H.Executable, Program.Path);
  gethostname(H.Host, sizeof H.Host - 1);
  copyText(H.VisibleDevices, sizeof H.VisibleDevices,
           getenv("CUDA_VISIBLE_DEVICES"));
  memcpy(H.Magic, TraceMagic, sizeof H.Magic);
}

/// A file that no one else has: a process that ran another program with exec
/// leaves one of the same number.
static int makeFile() {
  for (unsigned I = 0; I != 1000; ++I) {
    if (I)
      snprintf(Path, sizeof Path, "%s/trace.%d.%u.echo", Folder,
               static_cast<int>(getpid()), I);
    else
      snprintf(Path, sizeof Path, "%s/trace.%d.echo", Folder,
               static_cast<int>(getpid()));
    int Fd = open(Path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (Fd >= 0 || errno != EEXIST)
      return Fd;
  }
  return -1;
}

/// A longer file than the process may write would be a signal.
static uint64_t allowedBytes() {
  rlimit Limit;
  bool Bounded = getrlimit(RLIMIT_FSIZE, &Limit) == 0 &&
                 Limit.rlim_cur != RLIM_INFINITY && Limit.rlim_cur < FileBytes;
  return Bounded ? Limit.rlim_cur : FileBytes;
}

/// Gives the mapping's pages room on the disk: a write to a page that has none
/// would be a signal, too. The file is opened each time, since the program may
/// close descriptors that it does not know.
static bool reserve(uint64_t From, uint64_t Bytes) {
  const NotCancelled Here;
  int Error = errno;
  int Fd = open(Path, O_RDWR | O_CLOEXEC);
  bool Done = Fd >= 0 && posix_fallocate(Fd, static_cast<off_t>(From),
                                         static_cast<off_t>(Bytes)) == 0;
  if (Fd >= 0)
    close(Fd);
  errno = Error;
  return Done;
}

static void openTrace() {
  uint64_t Allowed = allowedBytes();
  if (Allowed < LeastBytes) {
    say("the process may not write a file of %llu bytes: nothing is recorded",
        LeastBytes);
    __atomic_store_n(&State, 3, __ATOMIC_RELEASE);
    return;
  }
  uint64_t Chunks = (Allowed - TraceHeaderBytes) / ChunkBytes;
  Mapped = TraceHeaderBytes + Chunks * ChunkBytes;
  int Fd = makeFile();
  void *At = MAP_FAILED;
  if (Fd >= 0 && ftruncate(Fd, static_cast<off_t>(Mapped)) == 0 &&
      reserve(0, TraceHeaderBytes))
    At = mmap(nullptr, Mapped, PROT_READ | PROT_WRITE, MAP_SHARED, Fd, 0);
  int Error = errno;
  if (Fd >= 0)
    close(Fd);
  if (At == MAP_FAILED) {
    if (Fd >= 0)
      unlink(Path);
    say("the trace %.300s cannot be written (%s): nothing is recorded", Path,
        strerror(Error));
    __atomic_store_n(&State, 3, __ATOMIC_RELEASE);
    return;
  }
  auto *H = static_cast<TraceHeader *>(At);
  fillHeader(*H, Chunks);
  __atomic_store_n(&Limit, Chunks, __ATOMIC_RELEASE);
  __atomic_store_n(&Header, H, __ATOMIC_RELEASE);
  __atomic_store_n(&State, 2, __ATOMIC_SEQ_CST);
}

/// Notes in the header what was missed, if there is one.
static void countMissed() {
  if (__atomic_load_n(&State, __ATOMIC_SEQ_CST) == 2)
    __atomic_fetch_add(
        &Header->Dropped,
        __atomic_exchange_n(&Missed, uint64_t(0), __ATOMIC_SEQ_CST),
        __ATOMIC_RELAXED);
}

/// Whether another thread has made the file by now, or cannot. It may wait for
/// a lock that the calling thread has, so not for ever.
static bool isMade() {
  constexpr uint64_t Most = 200000000; // nanoseconds
  const uint64_t Begin = clockNs();
  while (__atomic_load_n(&State, __ATOMIC_ACQUIRE) == 1) {
    if (clockNs() - Begin >= Most)
      return false;
    sched_yield();
  }
  return true;
}

static TraceHeader *header() {
  int Now = __atomic_load_n(&State, __ATOMIC_ACQUIRE);
  if (Now == 2)
    return __atomic_load_n(&Header, __ATOMIC_ACQUIRE);
  int Expected = 0;
  if (Now == 0 &&
      __atomic_compare_exchange_n(&State, &Expected, 1, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE)) {
    Inside Own;
    const NotCancelled Here;
    openTrace();
    countMissed();
    return __atomic_load_n(&Header, __ATOMIC_ACQUIRE);
  }
  if (isMade())
    return __atomic_load_n(&Header, __ATOMIC_ACQUIRE);
  __atomic_fetch_add(&Missed, uint64_t(1), __ATOMIC_SEQ_CST);
  countMissed();
  return nullptr;
}

/// Room for one more record of this thread; null where there is none.
static TraceRecord *claim(Thread &T, TraceHeader &H) {
  auto Pid = H.Pid;
  if (!T.Chunk || T.Filled == TraceRecordsPerChunk || T.Process != Pid) {
    // Once full, always full: the count of chunks stays near what there is.
    T.Chunk = nullptr;
    if (__atomic_load_n(&H.NextChunk, __ATOMIC_RELAXED) >=
        __atomic_load_n(&Limit, __ATOMIC_RELAXED))
      return nullptr;
    uint64_t Chunk =
        __atomic_fetch_add(&H.NextChunk, uint64_t(1), __ATOMIC_SEQ_CST);
    if (Chunk >= __atomic_load_n(&Limit, __ATOMIC_SEQ_CST)) {
      T.Chunk = nullptr;
      return nullptr;
    }
    if (!reserve(TraceHeaderBytes + Chunk * ChunkBytes, ChunkBytes)) {
      // The disk is full: what was written is all.
      __atomic_store_n(&Limit, uint64_t(0), __ATOMIC_SEQ_CST);
      T.Chunk = nullptr;
      return nullptr;
    }
    T.Chunk =
        reinterpret_cast<char *>(&H) + TraceHeaderBytes + Chunk * ChunkBytes;
    // One call of the system for a chunk's pages, where it has that call.
    const int Error = errno;
    madvise(T.Chunk, ChunkBytes, PopulateWrite);
    errno = Error;
    T.Filled = 0;
    T.Process = Pid;
  }
  return static_cast<TraceRecord *>(T.Chunk) + T.Filled++;
}

/// Who wrote the process's last record. Atomic.
static const Thread *LastWriter;

static void noteWriter(const Thread *T) {
  // A store of what is there already would cost other processors' caches.
  if (__atomic_load_n(&LastWriter, __ATOMIC_RELAXED) != T)
    __atomic_store_n(&LastWriter, T, __ATOMIC_RELAXED);
}

static bool isSameLaunch(const TraceRecord &L, const TraceRecord &R) {
  return L.Kind == R.Kind && static_cast<Record>(L.Kind) == Record::Launch &&
         L.A == R.A && L.B == R.B && L.Stream == R.Stream &&
         L.Flags == R.Flags && L.Status == R.Status;
}

bool countLaunch(const TraceRecord &R) {
  if (__atomic_load_n(&State, __ATOMIC_ACQUIRE) != 2)
    return false;
  const TraceHeader *H = __atomic_load_n(&Header, __ATOMIC_ACQUIRE);
  const Thread *T = thisThread();
  if (!T || !T->Chunk || !T->Filled || T->Process != H->Pid ||
      __atomic_load_n(&LastWriter, __ATOMIC_RELAXED) != T)
    return false;
  TraceRecord &Last = static_cast<TraceRecord *>(T->Chunk)[T->Filled - 1];
  if (!isSameLaunch(Last, R))
    return false;
  __atomic_store_n(&Last.Bytes, Last.Bytes + 1, __ATOMIC_RELAXED);
  return true;
}

void writeRecord(const TraceRecord &R) {
  TraceHeader *H = header();
  if (!H) {
    // What a child cannot write its parent's trace lacks.
    if (Wanted && Parents && __atomic_load_n(&State, __ATOMIC_ACQUIRE) == 3)
      __atomic_fetch_add(&Parents->Dropped, uint64_t(1), __ATOMIC_RELAXED);
    return;
  }
  Thread *T = thisThread();
  noteWriter(T);
  TraceRecord *At = T ? claim(*T, *H) : nullptr;
  if (!At) {
    __atomic_fetch_add(&H->Dropped, uint64_t(1), __ATOMIC_RELAXED);
    return;
  }
  TraceRecord Copy = R;
  Copy.Thread = T->Number;
  Copy.Kind = 0;
  *At = Copy;
  __atomic_store_n(&At->Kind, R.Kind, __ATOMIC_RELEASE);
}

void writeText(const TraceRecord &R, const char *Text) {
  writeRecord(R);
  for (size_t Left = strlen(Text); Left;) {
    TraceRecord Part;
    size_t Now = Left < TraceTextBytes ? Left : TraceTextBytes;
    Part.Kind = static_cast<uint8_t>(Record::Text);
    Part.Flags = static_cast<uint8_t>(Now);
    memcpy(reinterpret_cast<char *>(&Part) + offsetof(TraceRecord, Site), Text,
           Now);
    writeRecord(Part);
    Text += Now;
    Left -= Now;
  }
}

// What the trace already has: open addressing, never emptied but by a fork.
// Where it is full, sites are written again, which does no harm.
static constexpr size_t SeenSize = 8192;
static uint64_t Seen[SeenSize];

/// True the first time that \p Key comes.
static bool isNew(uint64_t Key) {
  if (!Key)
    Key = 1;
  for (size_t I = 0; I != 64; ++I) {
    uint64_t &Slot = Seen[(Key + I) % SeenSize];
    uint64_t Old = 0;
    if (__atomic_compare_exchange_n(&Slot, &Old, Key, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return true;
    if (Old == Key)
      return false;
  }
  return true;
}

void writeModule(const ModuleInfo &Info) {
  if (!isNew(Info.Hash))
    return;
  TraceRecord M;
  M.Kind = static_cast<uint8_t>(Record::Module);
  M.A = Info.Hash;
  writeText(M, Info.Path);
}

static bool isWritten(uint64_t Key) {
  for (size_t I = 0; I != 64; ++I) {
    const uint64_t Slot =
        __atomic_load_n(&Seen[(Key + I) % SeenSize], __ATOMIC_RELAXED);
    if (Slot == Key || !Slot)
      return Slot == Key;
  }
  return false;
}

void writeModuleOf(uint64_t Hash) {
  ModuleInfo Info;
  if (Hash && !isWritten(Hash) && moduleByHash(Hash, Info))
    writeModule(Info);
}

void writeKernel(const TraceRecord &Launch, const DeviceOps &Ops) {
  // A number that is no site's or module's, but for chance.
  const uint64_t Product = Launch.A * 0x9e3779b97f4a7c15ull;
  const uint64_t Key = Product ^ Product >> 32;
  if (!Launch.A || isWritten(Key) || !isNew(Key))
    return;
  const NotCancelled Here;
  TraceRecord K;
  K.Kind = static_cast<uint8_t>(Record::Kernel);
  K.A = Launch.A;
  K.Begin = K.End = Launch.Begin;
  const char *Name = nullptr;
  const auto *Function = reinterpret_cast<void *>(Launch.A); // NOLINT
  if (Ops.kernelName && Ops.kernelName(&Name, Function) == 0 && Name)
    return writeText(K, Name);
  // The runtime's launches name the function that stands for the kernel.
  if (ModuleInfo Info; Ops.Api == 1 && moduleOf(Function, Info, K.B)) {
    writeModule(Info);
    K.Site = Info.Hash;
    writeRecord(K);
  }
}

void writeSite(uint64_t Site, const Frame *Frames, unsigned Count) {
  if (!isNew(Site))
    return;
  for (unsigned I = 0; I != Count; ++I) {
    ModuleInfo Info;
    if (Frames[I].Module && moduleByHash(Frames[I].Module, Info))
      writeModule(Info);
    TraceRecord R;
    R.Kind = static_cast<uint8_t>(Record::Frame);
    R.Site = Site;
    R.A = Frames[I].Module;
    R.B = Frames[I].Offset;
    R.Bytes = I;
    writeRecord(R);
  }
}

void writeDevice(const DeviceOps &Ops) {
  int Expected = 0;
  if (__atomic_load_n(&DeviceState, __ATOMIC_RELAXED) != 0 ||
      !__atomic_compare_exchange_n(&DeviceState, &Expected, 1, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return;
  const NotCancelled Here;
  TraceHeader *H = header();
  Wanted = true;
  if (!H)
    return;
  int Driver = 0, Runtime = 0, Device = 0;
  if (Ops.versions && Ops.versions(&Driver, &Runtime) == 0) {
    H->DriverVersion = Driver;
    H->RuntimeVersion = Runtime;
  }
  if (Ops.currentDevice && Ops.currentDevice(&Device) == 0 && Ops.deviceName)
    Ops.deviceName(H->DeviceName, sizeof H->DeviceName - 1, Device);
  char Uuid[UuidBytes];
  currentUuid(Ops, Uuid);
  copyText(H->DeviceUuid, sizeof H->DeviceUuid, Uuid);
  H->Api = Ops.Api;
  writeProcess();
}

void notePlanFits(bool Fits) {
  if (TraceHeader *H = *Folder ? header() : nullptr)
    H->PlanFits = Fits ? 1 : 2;
}

void noteMappedUnwatched() {
  if (TraceHeader *H = *Folder ? header() : nullptr)
    H->MappedUnwatched = 1;
}

void keepTrace() { Wanted = true; }

void traceForked() {
  if (Header)
    Parents = Header;
  Header = nullptr;
  State = 0;
  Missed = 0;
  DeviceState = 0;
  Wanted = false;
  memset(Seen, 0, sizeof Seen);
}

void finishTrace() {
  TraceHeader *H = __atomic_load_n(&Header, __ATOMIC_ACQUIRE);
  if (!H || H->Pid != static_cast<uint32_t>(getpid()))
    return;
  // Threads may still write to the chunks they have, but claim no more.
  __atomic_store_n(&Limit, uint64_t(0), __ATOMIC_SEQ_CST);
  uint64_t Used = __atomic_load_n(&H->NextChunk, __ATOMIC_SEQ_CST);
  if (Used > H->NumChunks)
    Used = H->NumChunks;
  H->NumChunks = Used;
  H->Finished = 1;
  if (!Wanted)
    unlink(Path);
  else if (truncate(Path,
                    static_cast<off_t>(TraceHeaderBytes + Used * ChunkBytes)))
    H->Finished = 1; // it stays as long as it was
}

} // namespace echo::dr
