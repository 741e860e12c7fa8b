//===- Real.h - The interposed functions ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds what the program would have called without libecho-dr.so. The C
// library's functions are the next ones after this library; those of CUDA
// depend on who calls, because a process may hold several CUDA runtimes, and
// one loaded for a plug-in alone is not in the global scope. Memory that is
// asked for while malloc itself is being looked up comes from a small pool.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_REAL_H
#define ECHO_RUNTIME_DR_REAL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

namespace echo::dr {

/// The C library's own functions. Before resolveLibc() they look themselves up.
struct LibcFunctions {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void (*free)(void *);
  void *(*memalign)(size_t, size_t);
  void *(*aligned_alloc)(size_t, size_t);
  int (*posix_memalign)(void **, size_t, size_t);
  size_t (*malloc_usable_size)(void *);
};
extern LibcFunctions Libc;

/// Looks all of them up, once; allocates nothing.
void resolveLibc();

/// False where the process has another malloc than the C library's: memory may
/// be freed, asked about or grown by names that no interposer is before.
bool mallocIsLibcs();

/// True for memory of the pool, which is never given back.
bool isBootstrap(const void *Pointer);

/// dlsym of the C library, whoever exports a function of that name before it.
void *systemDlsym(void *Handle, const char *Name);

/// The next function of this name after this library; null if there is none.
template <class F> F *nextFunction(const char *Name) {
  void *next(const char *);
  return reinterpret_cast<F *>(next(Name));
}
void *next(const char *Name);

/// The program's dlsym for \p Name of a CUDA runtime. True if \p Answer is the
/// answer; else the real one must answer, and see who asks.
bool runtimeDlsym(void *Handle, const char *Name, const void *Caller,
                  void *&Answer);

/// dlclose of the C library, which is interposed. Nothing is forgotten for it:
/// what it unloads must be told by forgetCallers().
int systemDlclose(void *Handle);

/// A library was unloaded: what was found by callers may be gone.
void forgetCallers();

/// Grows when a library was unloaded.
uint32_t unloads();

/// True once the process ends by exit(): a dlopen would run constructors of
/// libraries again whose destructors have run.
bool exitBegan();

/// True if \p Address is code of this library.
bool isOwnCode(const void *Address);

} // namespace echo::dr

#endif
