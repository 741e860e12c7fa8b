//===- Loading.cpp - Libraries that Echo would not see --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library opened with RTLD_DEEPBIND, or in a namespace of its own, binds to
// the driver and the CUDA runtime themselves, past Echo's symbols. What it
// does to buffers is not seen, so all of them drop out before it is loaded.
// Memory that is served already it must free by Echo all the same. The real
// function is entered by a jump where it finds libraries by its caller's paths.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/driver/Resolve.h"
#include "runtime/dr/interposers/Surroundings.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

using namespace echo::dr;

namespace {

using Dlopen = void *(*)(const char *, int);
using Dlmopen = void *(*)(Lmid_t, const char *, int);

Dlopen RealDlopen;
Dlmopen RealDlmopen;

template <class F> F real(F *Place, const char *Name) {
  F Known = __atomic_load_n(Place, __ATOMIC_ACQUIRE);
  if (!Known) {
    Known = reinterpret_cast<F>(realDlsym()(RTLD_NEXT, Name));
    __atomic_store_n(Place, Known, __ATOMIC_RELEASE);
  }
  return Known;
}

void unseen(const char *Name, const char *How) {
  if (staysOff())
    return;
  if (verbose())
    say("%s is loaded %s: its calls are not seen, all buffers stay as they are",
        Name ? Name : "the program", How);
  dropOut(nullptr, Reason::External);
}

/// True if \p Name means the same file whoever asks.
bool isPath(const char *Name) {
  return Name && strchr(Name, '/') && !strchr(Name, '$');
}

/// What the program learns of a library by asking for it: whether it is there,
/// and, as it may be closed again, what is in it.
void noteAsked(const char *Name, const void *Caller) {
  if (!isPath(Name) || !isRecorded(Caller))
    return;
  const int Error = errno;
  const bool IsThere = access(Name, F_OK) == 0;
  errno = Error;
  fileAsked(AT_FDCWD, Name, IsThere ? FileRead : FileLooked);
}

/// Opens what may be given memory that a mode served, and would free it past
/// this library.
void *openDeep(Dlopen Open, const char *Name, int Flags) {
  const void *Last = lastObject();
  void *Handle = Open(Name, Flags);
  if (Handle)
    bindFrees(Last, Handle);
  return Handle;
}

} // namespace

INTERPOSED void *dlopen(const char *Name, int Flags) {
  Dlopen Open = real(&RealDlopen, "dlopen");
  noteAsked(Name, __builtin_return_address(0));
  if (Flags & RTLD_DEEPBIND) {
    unseen(Name, "with RTLD_DEEPBIND");
    if ((mode() == Mode::Optimize || mode() == Mode::Validate) && isPath(Name))
      return openDeep(Open, Name, Flags);
  }
  MUST_TAIL return Open(Name, Flags);
}

INTERPOSED void *dlmopen(Lmid_t Namespace, const char *Name, int Flags) {
  if (Namespace != LM_ID_BASE || (Flags & RTLD_DEEPBIND))
    unseen(Name, "in a namespace of its own");
  noteAsked(Name, __builtin_return_address(0));
  Dlmopen Open = real(&RealDlmopen, "dlmopen");
  MUST_TAIL return Open(Namespace, Name, Flags);
}
