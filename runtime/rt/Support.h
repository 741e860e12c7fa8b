//===- Support.h - Locks, options and fork state of echort ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The small ground that echort's parts stand on: a mutex without libstdc++,
// the settings read from the environment, and the fork era. Nothing here calls
// CUDA, and no lock is ever held over a call into CUDA.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_SUPPORT_H
#define ECHO_RUNTIME_RT_SUPPORT_H

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>

namespace echo::rt {

struct Mutex {
  pthread_mutex_t Handle = PTHREAD_MUTEX_INITIALIZER;
  void lock() { pthread_mutex_lock(&Handle); }
  void unlock() { pthread_mutex_unlock(&Handle); }
};

class Guard {
public:
  explicit Guard(Mutex &M) : M(M) { M.lock(); }
  ~Guard() { M.unlock(); }
  Guard(const Guard &) = delete;
  Guard &operator=(const Guard &) = delete;

private:
  Mutex &M;
};

/// Keeps errno: a malloc that succeeds leaves it alone, and so does a copy.
class ErrnoScope {
public:
  ErrnoScope() : Before(errno) {}
  ~ErrnoScope() { errno = Before; }
  ErrnoScope(const ErrnoScope &) = delete;
  ErrnoScope &operator=(const ErrnoScope &) = delete;

private:
  int Before;
};

/// ThreadSanitizer sees the program's code only, and libc's mutexes. It is told
/// of what else orders the publication of what \p Place points to.
inline void publishes(void *Place);
inline void seesPublished(void *Place);

/// Where a block lives. Split means that there is none. PinnedSplit is the one
/// kind that serves the host alone: the program's device buffer and copies
/// stay.
enum class Backing : uint8_t { Split, System, Managed, Mapped, PinnedSplit };
inline constexpr unsigned NumBackings = 5;
/// The name ECHO_BACKING uses: "split", "system" and so on.
const char *backingName(Backing B);

/// A backing that ECHO_BACKING asks for, or the policy's choice.
struct Wish {
  bool Auto = true;
  Backing Forced = Backing::Split; ///< if not Auto
};

struct Options : Wish { ///< of pairs that ECHO_BACKING does not name
  bool NoUnify = false; ///< ECHO_NO_UNIFY=1: everything splits
  bool Verbose = false; ///< ECHO_VERBOSE=1: a line for each group
  bool Stats = false;   ///< counts at exit: ECHO_STATS=1 or ECHO_VERBOSE=1
  uint32_t Watch = 0;   ///< ECHO_WATCH: one assumed pair in so many; 0: none
  bool Invalid = false; ///< a value was not understood: everything splits
};

/// Settings from the environment, read once. A value that is not understood
/// gives one line on standard error and Options::Invalid.
const Options &options();

/// Writes "echo: ..." and a newline to standard error in one write.
void say(const char *Format, ...) __attribute__((format(printf, 1, 2)));
/// What say() writes with, as write(2): another one may keep signals away.
extern ssize_t (*SayWith)(int, const void *, size_t);
/// From now on say() writes nothing once descriptor 2 is closed or another
/// file.
void keepToErrors();

/// Number of forks between this process and the one that first asked. State
/// of another era belongs to a parent: CUDA must not be called for it.
uint32_t forkEra();
/// Registers the fork handlers; the first call does, later ones are free.
void armForkHandlers();

/// Lets processEnds know; the first call does, later ones are free.
void armEnd();
/// True if the process ends, or armEnd was never called: what runs then must
/// not call CUDA. Else a destructor runs because its shared object is unloaded.
bool processEnds();

// What the fork handlers call, one triple per part that holds a lock.
void lockRegistry();
void unlockRegistry();
void lockPool();
void unlockPool();
/// In the child: forgets pooled blocks that CUDA made. Pool lock held.
void forgetInheritedPool();
/// In the child: its accounting starts at zero.
void resetAccount();

} // namespace echo::rt

extern "C" {
__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);
}

inline void echo::rt::publishes(void *Place) {
  if (__tsan_release)
    __tsan_release(Place);
}
inline void echo::rt::seesPublished(void *Place) {
  if (__tsan_acquire)
    __tsan_acquire(Place);
}

#endif
