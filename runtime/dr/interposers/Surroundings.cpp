//===- Surroundings.cpp - What the program reads besides memory -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// getenv and the functions that open files. Each calls the C library's own with
// the program's arguments and returns its result and errno; in a profile, the
// name is kept afterwards, and written to the trace once there is one.
// Looks.cpp and Changes.cpp have the functions that ask of files without
// opening them, or change them by their names. Files that the C library or the
// loader opens by itself are not seen, nor are variables that are read from the
// list of all: echo-run knows of both by other means. Nothing here allocates,
// or asks the system in other modes.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/interposers/Surroundings.h"
#include "runtime/abi/Variables.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/NotCancelled.h"
#include "runtime/dr/interposers/NameTable.h"
#include "runtime/dr/interposers/NextFunctions.h"
#include "runtime/dr/interposers/Paths.h"
#include "runtime/dr/interposers/Polls.h"
#include "runtime/dr/interposers/WorkingFolder.h"
#include "runtime/dr/trace/Writer.h"
#include "runtime/dr/validate/Bypass.h"
#include "runtime/dr/validate/IoUse.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

using namespace echo::dr;

// What _FORTIFY_SOURCE calls.
extern "C" int __open_2(const char *, int);
extern "C" int __open64_2(const char *, int);
extern "C" int __openat_2(int, const char *, int);
extern "C" int __openat64_2(int, const char *, int);
// Names that the C library has as well, without a header.
extern "C" int __open(const char *, int, ...);
extern "C" int __open64(const char *, int, ...);

// clang-format off
#define FOR_ALL(each)                                                          \
  each(getenv) each(secure_getenv) each(open) each(open64) each(openat)        \
  each(openat64) each(creat) each(creat64) each(__open_2) each(__open64_2)     \
  each(__open) each(__open64) each(__openat_2) each(__openat64_2) each(fopen) each(fopen64) each(freopen)  \
  each(freopen64) each(chdir) each(fchdir)
// clang-format on

NEXT_FUNCTIONS(FOR_ALL)

namespace {
/// Marks what a file's record says already of who wrote it.
enum : uint16_t { Own = 256, Variable = 512, Empty = 2048 };
} // namespace

static bool Recording;            ///< atomic
static bool Started;              ///< atomic: the mode is known
static NameTable<uint16_t> Names; ///< what was recorded of each
static bool Full;                 ///< atomic: there was more than is kept

// What was recorded, for the trace: kind, flags, and the name with its end.
static constexpr size_t MostKept = size_t(2) << 20;
static char Kept[MostKept];
static size_t KeptUsed, Written; ///< under the lock
static bool Flows;               ///< atomic: names go to the trace at once
static unsigned Forks;           ///< atomic: children of this process
static int Busy;                 ///< atomic: the lock; a thread that has it
                                 ///< is Inside, so that no signal asks again

namespace {
/// Never waits for long: a child that was made past fork's handlers may lack
/// the thread that has the lock.
class Locked {
public:
  Locked() {
    for (int Tries = 0; Tries != 10000 && !Mine; ++Tries) {
      Mine = !__atomic_exchange_n(&Busy, 1, __ATOMIC_ACQUIRE);
      if (!Mine)
        sched_yield();
    }
    if (!Mine)
      __atomic_store_n(&Full, true, __ATOMIC_RELAXED);
  }
  ~Locked() {
    if (Mine)
      __atomic_store_n(&Busy, 0, __ATOMIC_RELEASE);
  }
  Locked(const Locked &) = delete;
  Locked &operator=(const Locked &) = delete;
  bool isMine() const { return Mine; }

private:
  bool Mine = false;
};
} // namespace

/// Adds \p Flags to what is known of \p Key. Gives what was known in \p Known;
/// false if there is no room.
static bool enter(uint64_t Key, uint16_t Flags, uint16_t &Known) {
  uint16_t *Flagged = Names.at(Key, /*Enters=*/true);
  if (Flagged)
    Known = __atomic_fetch_or(Flagged, Flags, __ATOMIC_RELAXED);
  return Flagged;
}

/// Writes what is kept and not yet written.
static void writeKept() {
  while (Written < KeptUsed) {
    TraceRecord R;
    R.Kind = static_cast<uint8_t>(Kept[Written]);
    R.Flags = static_cast<uint8_t>(Kept[Written + 1]);
    const char *Text = Kept + Written + 2;
    writeText(R, Text);
    Written += 2 + strlen(Text) + 1;
  }
}

static void append(Record Kind, uint8_t Flags, const char *Text) {
  char *At = Kept + KeptUsed;
  At[0] = static_cast<char>(Kind);
  At[1] = static_cast<char>(Flags);
  strcpy(At + 2, Text);
  KeptUsed += strlen(Text) + 3;
}

/// Under the lock: once, that there was more than is kept.
static void sayThereWasMore() {
  static bool Said;
  if (!Said && __atomic_load_n(&Full, __ATOMIC_RELAXED))
    append(Record::File, 0, "");
  Said |= __atomic_load_n(&Full, __ATOMIC_RELAXED);
}

static void keep(Record Kind, uint8_t Flags, const char *Text) {
  const Locked Hold;
  if (!Hold.isMine())
    return;
  constexpr size_t Last = 3; // of the record that there was more
  if (KeptUsed + strlen(Text) + 3 + Last <= MostKept)
    append(Kind, Flags, Text);
  else
    __atomic_store_n(&Full, true, __ATOMIC_RELAXED);
  sayThereWasMore();
  if (__atomic_load_n(&Flows, __ATOMIC_RELAXED))
    writeKept();
}

static void noteMore();

static void noteVariable(const char *Name) {
  uint16_t Known = 0;
  const size_t Length = strlen(Name);
  if (!Length || isOwnVariable(Name))
    return;
  constexpr size_t Longest = 256; // of a name that is kept
  if (Length > Longest)
    return noteMore();
  if (!enter(fnv1a(Name, Length, Variable), Variable, Known) || Known)
    return;
  keep(Record::Variable, 0, Name);
}

/// Whether this process is profiled. Libraries of the program's ask before this
/// one's constructor: what they learn is kept from their first question on, but
/// for what comes before the C library has its variables (.preinit_array).
static bool isRecording() {
  if (__builtin_expect(__atomic_load_n(&Started, __ATOMIC_ACQUIRE), 1))
    return __atomic_load_n(&Recording, __ATOMIC_ACQUIRE);
  if (!environ)
    return false;
  static bool Asked;
  if (__atomic_exchange_n(&Asked, true, __ATOMIC_ACQ_REL))
    return false;
  const int Error = errno;
  Inside Echo;
  NEED(getenv)
  const char *Mode = Real.getenv("ECHO_DR_MODE");
  if (Mode && !strcmp(Mode, "profile"))
    recordSurroundings();
  __atomic_store_n(&Started, true, __ATOMIC_RELEASE);
  errno = Error;
  return __atomic_load_n(&Recording, __ATOMIC_ACQUIRE);
}

/// True if the call is the program's, and is to be recorded.
static bool isWanted(const void *Caller) {
  return __builtin_expect(isRecording(), 0) && !isInside() &&
         !isOwnCode(Caller);
}

static void asked(const char *Name, const void *Caller) {
  if (!Name || !isWanted(Caller))
    return;
  const int Error = errno;
  Inside Echo;
  noteVariable(questionFor(Name));
  errno = Error;
}

/// There was more than is kept.
static void noteMore() {
  if (__atomic_exchange_n(&Full, true, __ATOMIC_RELAXED))
    return;
  const Locked Hold;
  if (!Hold.isMine())
    return;
  sayThereWasMore();
  if (__atomic_load_n(&Flows, __ATOMIC_RELAXED))
    writeKept();
}

/// Of the file \p Where, or null, one whose name is not known, \p Flags of
/// FileFlags became known. What the process itself wrote anew, it may read:
/// nobody else's contents are in it.
static void noteName(const char *Where, uint16_t Flags, As How) {
  uint16_t Known = 0;
  const uint64_t Key = Where ? fnv1a(Where, strlen(Where)) : 0;
  if (Where && !notePoll(Where, Key, static_cast<uint8_t>(Flags), How))
    noteMore();
  const uint16_t Whose = How == As::Making    ? Own
                         : How == As::Filling ? Own | Empty
                                              : 0;
  const bool Found = Where && enter(Key, Whose, Known);
  if (Found && Known & Own) // what was empty may have contents the next time
    Flags = (Flags & (FileWritten | FileChanged)) |
            (Flags & FileRead && Known & Empty ? FileStated : 0);
  if (!Flags)
    return;
  if (Found && enter(Key, Flags, Known)) {
    if ((Known & Flags) != Flags)
      keep(Flags & FileChanged ? Record::Change : Record::File,
           static_cast<uint8_t>(Flags), Where);
  } else {
    noteMore();
  }
}

/// The same of where its links lead: own ones are gone when a key is compared.
static void notePlace(const char *Where, uint16_t Flags, As How) {
  char Place[MostPath];
  Flags &= FileRead | FileWritten | FileLooked | FileStated | FileListed;
  if (Flags && placeOf(Where, Place, sizeof Place) && !isNoFile(Place))
    noteName(Place, Flags, How);
}

/// The file was opened with \p Flags of FileFlags.
static void noteFile(int At, const char *Path, uint16_t Flags,
                     As How = As::Question) {
  char Where[MostPath];
  const bool Found = wholePath(At, Path, Where);
  if (const char *Output = outputName(standardNamed(Path)))
    noteVariable(Output);
  if (!Found)
    return noteName(nullptr, Flags, How);
  resolveLink(Where, sizeof Where);
  if (isEnvironment(Where))
    noteVariable(AllVariablesName);
  if (isNoFile(Where))
    return;
  noteName(Where, Flags, How);
  if (linksMade())
    notePlace(Where, Flags, How);
}

bool echo::dr::hasOwnContents(uint64_t Key) {
  const uint16_t *Known = Names.at(Key, /*Enters=*/false);
  return Known && __atomic_load_n(Known, __ATOMIC_RELAXED) & Own;
}

void echo::dr::setOwnContents(uint64_t Key, bool Is) {
  if (uint16_t *Known = Names.at(Key, /*Enters=*/Is))
    Is ? __atomic_fetch_or(Known, Own, __ATOMIC_RELAXED)
       : __atomic_fetch_and(Known, uint16_t(~Own), __ATOMIC_RELAXED);
}

void echo::dr::folderAsked(int At, const char *Path) {
  const char *Slash = Path ? strrchr(Path, '/') : nullptr;
  char Name[MostPath];
  const size_t Length = Slash ? static_cast<size_t>(Slash - Path) : 0;
  if (!Slash || Length >= sizeof Name)
    return;
  memcpy(Name, Path, Length);
  Name[Length] = 0;
  const int Error = errno;
  Inside Echo;
  noteFile(At, Length ? Name : "/", FileLooked, As::Beside);
  errno = Error;
}

/// How an open by \p Flags that gave \p Fd to write made the file.
static As madeBy(int Flags, int Fd) {
  struct stat S;
  if (Flags & (O_TRUNC | O_EXCL))
    return As::Making;
  const bool Fills = Flags & O_CREAT && fstat(Fd, &S) == 0 && S.st_size == 0;
  return Fills ? As::Filling : As::Question;
}

void echo::dr::fileOpened(int At, const char *Path, int Flags, int Fd) {
  const int Error = errno;
  const int Access = Flags & O_ACCMODE;
  if (!Path)
    return;
  Inside Echo;
  if ((Flags & O_TMPFILE) == O_TMPFILE) { // the path is the folder's
    noteFile(At, Path, FileLooked, As::Beside);
    errno = Error;
    return;
  }
  if (Flags & O_CREAT)
    folderAsked(At, Path);
  if (Flags & O_NOFOLLOW)
    noteFile(At, Path, FileLink);
  if (Flags & O_CREAT && Fd >= 0 && Access == O_RDONLY)
    noteFile(At, Path, FileChanged); // else it is written, which says the same
  uint8_t What = Access == O_RDONLY   ? FileRead
                 : Access == O_WRONLY ? FileWritten
                                      : FileRead | FileWritten;
  const bool IsNew = (Flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
  struct stat S;
  if (Flags & (O_PATH | O_DIRECTORY)) {
    What = FileLooked;
  } else if (Fd < 0) {
    // One that is read where it is not there may be there the next time.
    What = What == FileRead && Error == ENOENT ? FileRead : FileLooked;
  } else {
    const bool IsEmpty = What == (FileRead | FileWritten) &&
                         !(Flags & O_TRUNC) && !IsNew && fstat(Fd, &S) == 0 &&
                         S.st_size == 0;
    // What is not made where it is not there decides whether there is one; what
    // is empty may have contents the next time.
    if (IsNew || (What == FileWritten && !(Flags & O_CREAT)))
      noteFile(At, Path, FileLooked);
    if (IsEmpty)
      noteFile(At, Path, FileStated);
    if (IsNew || IsEmpty || (Flags & O_TRUNC && What & FileWritten))
      What = FileWritten;
  }
  noteFile(At, Path, What,
           What == FileWritten ? madeBy(Flags, Fd) : As::Question);
  errno = Error;
}

void echo::dr::fileAsked(int At, const char *Path, uint16_t Flags) {
  const int Error = errno;
  Inside Echo;
  if (Path && *Path)
    noteFile(At, Path, Flags);
  else if (Path)
    noteMore();
  errno = Error;
}

void echo::dr::variableAsked(const char *Name, const void *Caller) {
  asked(Name, Caller);
}

bool echo::dr::isRecorded(const void *Caller) { return isWanted(Caller); }

void echo::dr::processStarted(const char *What) {
  // Before the mode is known nobody starts anything.
  if (!isRecording())
    return;
  const int Error = errno;
  Inside Echo;
  uint16_t Known = 0;
  char Text[512];
  snprintf(Text, sizeof Text, "%s", What ? What : "");
  if (!enter(fnv1a(Text, strlen(Text), Own), Own, Known) || !Known)
    keep(Record::Child, 0, Text);
  errno = Error;
}

static void writeFork() {
  TraceRecord R;
  R.Kind = static_cast<uint8_t>(Record::Child);
  R.Flags = ChildForked;
  writeText(R, "fork");
}

void echo::dr::processForked() {
  if (!isRecording() || isInside())
    return;
  Inside Echo;
  const Locked Hold;
  if (!Hold.isMine())
    return;
  if (__atomic_load_n(&Flows, __ATOMIC_RELAXED))
    writeFork();
  else
    ++Forks;
}

void echo::dr::recordSurroundings() {
  if (!__atomic_load_n(&Recording, __ATOMIC_ACQUIRE))
    findFolder();
  __atomic_store_n(&Recording, true, __ATOMIC_RELEASE);
  __atomic_store_n(&Started, true, __ATOMIC_RELEASE);
}

void echo::dr::writeSurroundings() {
  if (__builtin_expect(__atomic_load_n(&Flows, __ATOMIC_RELAXED), 1))
    return;
  Inside Echo;
  const NotCancelled Here;
  const Locked Hold;
  if (!Hold.isMine())
    return;
  __atomic_store_n(&Flows, true, __ATOMIC_RELAXED);
  sayThereWasMore();
  writeKept();
  for (constexpr unsigned Most = 1000; Forks; --Forks)
    if (Forks <= Most)
      writeFork();
}

bool echo::dr::surroundingsWritten() {
  return __atomic_load_n(&Flows, __ATOMIC_RELAXED);
}

void echo::dr::surroundingsForked() {
  Busy = 0; // of a thread that the child lacks
  Forks = 0;
  Written = 0;
  Flows = false;
  pollsForked();
}

// The interposers.

INTERPOSED char *getenv(const char *Name) {
  asked(Name, __builtin_return_address(0));
  if (Real.getenv)
    return Real.getenv(Name);
  // Before this library's constructors run.
  const size_t Length = strlen(Name);
  for (char **Each = environ; Each && *Each; ++Each)
    if (!strncmp(*Each, Name, Length) && (*Each)[Length] == '=')
      return *Each + Length + 1;
  return nullptr;
}

INTERPOSED char *secure_getenv(const char *Name) {
  asked(Name, __builtin_return_address(0));
  if (Real.secure_getenv)
    return Real.secure_getenv(Name);
  return getauxval(AT_SECURE) ? nullptr : getenv(Name);
}

/// What every interposer does once the file is open, or is not.
static int noted(int At, const char *Path, int Flags, int Fd,
                 const void *Caller) {
  noteOpened(Fd);
  if ((Flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
    (void)usedBy(true, Caller);
  if (isWanted(Caller))
    fileOpened(At, Path, Flags, Fd);
  return Fd;
}

/// Before this library's constructors run.
static int openByNumber(int At, const char *Path, int Flags, mode_t Mode) {
  return static_cast<int>(syscall(SYS_openat, At, Path, Flags, Mode));
}

/// The mode that follows the flags, where there is one.
#define MODE_OF(flags, mode)                                                   \
  mode_t mode = 0;                                                             \
  if ((flags) & O_CREAT || ((flags) & O_TMPFILE) == O_TMPFILE) {               \
    va_list Args;                                                              \
    va_start(Args, flags);                                                     \
    mode = static_cast<mode_t>(va_arg(Args, int));                             \
    va_end(Args);                                                              \
  }

#define OPEN(name)                                                             \
  INTERPOSED int name(const char *Path, int Flags, ...) {                      \
    pathUsed(Path, __builtin_return_address(0));                               \
    MODE_OF(Flags, Mode)                                                       \
    const int Fd = Real.name ? Real.name(Path, Flags, Mode)                    \
                             : openByNumber(AT_FDCWD, Path, Flags, Mode);      \
    return noted(AT_FDCWD, Path, Flags, Fd, __builtin_return_address(0));      \
  }
OPEN(open)
OPEN(open64)
OPEN(__open)
OPEN(__open64)

#define OPENAT(name)                                                           \
  INTERPOSED int name(int At, const char *Path, int Flags, ...) {              \
    pathUsed(Path, __builtin_return_address(0));                               \
    MODE_OF(Flags, Mode)                                                       \
    const int Fd = Real.name ? Real.name(At, Path, Flags, Mode)                \
                             : openByNumber(At, Path, Flags, Mode);            \
    return noted(At, Path, Flags, Fd, __builtin_return_address(0));            \
  }
OPENAT(openat)
OPENAT(openat64)

#define CREAT(name)                                                            \
  INTERPOSED int name(const char *Path, mode_t Mode) {                         \
    pathUsed(Path, __builtin_return_address(0));                               \
    constexpr int Flags = O_CREAT | O_WRONLY | O_TRUNC;                        \
    const int Fd = Real.name ? Real.name(Path, Mode)                           \
                             : openByNumber(AT_FDCWD, Path, Flags, Mode);      \
    return noted(AT_FDCWD, Path, Flags, Fd, __builtin_return_address(0));      \
  }
CREAT(creat)
CREAT(creat64)

// What _FORTIFY_SOURCE calls: the C library ends the program where a mode is
// missing.
#define OPEN_2(name)                                                           \
  INTERPOSED int name(const char *Path, int Flags) {                           \
    pathUsed(Path, __builtin_return_address(0));                               \
    const int Fd = Real.name ? Real.name(Path, Flags)                          \
                             : openByNumber(AT_FDCWD, Path, Flags, 0);         \
    return noted(AT_FDCWD, Path, Flags, Fd, __builtin_return_address(0));      \
  }
OPEN_2(__open_2)
OPEN_2(__open64_2)

#define OPENAT_2(name)                                                         \
  INTERPOSED int name(int At, const char *Path, int Flags) {                   \
    pathUsed(Path, __builtin_return_address(0));                               \
    const int Fd = Real.name ? Real.name(At, Path, Flags)                      \
                             : openByNumber(At, Path, Flags, 0);               \
    return noted(At, Path, Flags, Fd, __builtin_return_address(0));            \
  }
OPENAT_2(__openat_2)
OPENAT_2(__openat64_2)

#define FOPEN(name)                                                            \
  INTERPOSED FILE *name(const char *Path, const char *Mode) {                  \
    pathUsed(Path, __builtin_return_address(0));                               \
    NEED(name)                                                                 \
    FILE *File = Real.name(Path, Mode);                                        \
    noted(AT_FDCWD, Path, flagsOf(Mode), File ? fileno(File) : -1,             \
          __builtin_return_address(0));                                        \
    return File;                                                               \
  }
FOPEN(fopen)
FOPEN(fopen64)

#define FREOPEN(name)                                                          \
  INTERPOSED FILE *name(const char *Path, const char *Mode, FILE *Old) {       \
    pathUsed(Path, __builtin_return_address(0));                               \
    NEED(name)                                                                 \
    FILE *File = Real.name(Path, Mode, Old);                                   \
    noted(AT_FDCWD, Path, flagsOf(Mode), File ? fileno(File) : -1,             \
          __builtin_return_address(0));                                        \
    return File;                                                               \
  }
FREOPEN(freopen)
FREOPEN(freopen64)

// Where relative paths begin.

static int moved(int Status) {
  if (Status == 0 && isRecording()) {
    const int Error = errno;
    findFolder();
    errno = Error;
  }
  return Status;
}

INTERPOSED int chdir(const char *Path) {
  pathUsed(Path, __builtin_return_address(0));
  NEED(chdir)
  // Names that begin there, and getcwd(), depend on where its links lead.
  lookedAt(AT_FDCWD, Path, FileLooked | FileLink, __builtin_return_address(0));
  return moved(Real.chdir(Path));
}

INTERPOSED int fchdir(int Fd) {
  NEED(fchdir)
  return moved(Real.fchdir(Fd));
}
