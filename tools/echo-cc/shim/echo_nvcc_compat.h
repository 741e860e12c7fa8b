//===- echo_nvcc_compat.h - What nvcc provides and clang does not ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by echo-cc before every CUDA source. Adds the host overloads of
// ::min and ::max (clang has the device ones) for the types of CUDA's
// math_functions.h, with the same results, the headers that CUDA's own include
// under nvcc, nvcc's macros, and its atomic builtins. It must never define
// __NVCC__: CUDA's headers would then expect more of nvcc's builtins
// (NvccMacro.h defines it for the user's files).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_NVCC_COMPAT_H
#define ECHO_NVCC_COMPAT_H
#if defined(__CUDA__) && defined(__clang__) && defined(CUDA_VERSION)

#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ (CUDA_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDA_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#endif

// clang defines it without a value, which `#if __CUDACC__` does not take.
#undef __CUDACC__
#define __CUDACC__ 1
#if defined(__CLANG_RDC__) && !defined(__CUDACC_RDC__)
#define __CUDACC_RDC__ 1
#endif

// cooperative_groups' clusters: clang has the intrinsics, too.
#define _CG_CLUSTER_INTRINSICS_AVAILABLE

// nvcc's atomic builtins are GCC's with a scope. The widest scope is right for
// all; arguments after the order may be left out.
#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4
#define __nv_atomic_load(P, V, O, ...) __atomic_load(P, V, O)
#define __nv_atomic_load_n(P, O, ...) __atomic_load_n(P, O)
#define __nv_atomic_store(P, V, O, ...) __atomic_store(P, V, O)
#define __nv_atomic_store_n(P, V, O, ...) __atomic_store_n(P, V, O)
#define __nv_atomic_exchange(P, V, R, O, ...) __atomic_exchange(P, V, R, O)
#define __nv_atomic_exchange_n(P, V, O, ...) __atomic_exchange_n(P, V, O)
#define __nv_atomic_compare_exchange(P, E, V, W, S, F, ...)                    \
  __atomic_compare_exchange(P, E, V, W, S, F)
#define __nv_atomic_compare_exchange_n(P, E, V, W, S, F, ...)                  \
  __atomic_compare_exchange_n(P, E, V, W, S, F)
#define __nv_atomic_fetch_add(P, V, O, ...) __atomic_fetch_add(P, V, O)
#define __nv_atomic_fetch_sub(P, V, O, ...) __atomic_fetch_sub(P, V, O)
#define __nv_atomic_fetch_and(P, V, O, ...) __atomic_fetch_and(P, V, O)
#define __nv_atomic_fetch_or(P, V, O, ...) __atomic_fetch_or(P, V, O)
#define __nv_atomic_fetch_xor(P, V, O, ...) __atomic_fetch_xor(P, V, O)
#define __nv_atomic_fetch_min(P, V, O, ...) __atomic_fetch_min(P, V, O)
#define __nv_atomic_fetch_max(P, V, O, ...) __atomic_fetch_max(P, V, O)
#define __nv_atomic_thread_fence(O, ...) __atomic_thread_fence(O)

// Variables in memory that host and GPU share: HIP's attribute is none of
// CUDA's in clang. lib/Transform/Device/ManagedVariables does the rest.
#undef __managed__
#define __managed__                                                            \
  __attribute__((device)) __attribute__((annotate("echo.managed")))

// A constructor of such a variable does not run (NvccLanguage.h).
#undef __shared__
#define __shared__ __attribute__((shared)) __attribute__((echo_shared))

// CUDA's own headers include these under nvcc. libstdc++'s math.h brings
// ::isfinite and its kind to host code, <new> the device's operator new.
// stdio.h is for device code alone, as there: configuration checks ask whether
// a header declares FILE.
#include <assert.h>
#include <math.h>
#include <new>
#ifdef __CUDA_ARCH__
#include <stdio.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

// clang declares them without a body.
static __inline__ __attribute__((device)) double nan(const char *) {
  return __builtin_nan("");
}
static __inline__ __attribute__((device)) float nanf(const char *) {
  return __builtin_nanf("");
}

// Loads and stores with a hint for the caches that clang lacks: the memory and
// the value are those without it.
template <class T> struct echo_same {
  typedef T type;
};
#define ECHO_STORE(Name)                                                       \
  template <class T>                                                           \
  static __inline__ __attribute__((device)) void Name(                         \
      T *P, typename echo_same<T>::type V) {                                   \
    *P = V;                                                                    \
  }
#define ECHO_LOAD(Name)                                                        \
  template <class T>                                                           \
  static __inline__ __attribute__((device)) T Name(const T *P) {               \
    return *P;                                                                 \
  }
ECHO_LOAD(__ldca)
ECHO_LOAD(__ldlu)
ECHO_STORE(__stwb)
ECHO_STORE(__stcg)
ECHO_STORE(__stcs)
#undef ECHO_LOAD
#undef ECHO_STORE

#define ECHO_HOST_MIN_MAX(R, A, B)                                             \
  static inline __attribute__((host)) R min(const A a, const B b) {            \
    return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(a)           \
                                                 : static_cast<R>(b);          \
  }                                                                            \
  static inline __attribute__((host)) R max(const A a, const B b) {            \
    return static_cast<R>(a) > static_cast<R>(b) ? static_cast<R>(a)           \
                                                 : static_cast<R>(b);          \
  }
ECHO_HOST_MIN_MAX(int, int, int)
ECHO_HOST_MIN_MAX(unsigned, unsigned, unsigned)
ECHO_HOST_MIN_MAX(unsigned, int, unsigned)
ECHO_HOST_MIN_MAX(unsigned, unsigned, int)
ECHO_HOST_MIN_MAX(long, long, long)
ECHO_HOST_MIN_MAX(unsigned long, unsigned long, unsigned long)
ECHO_HOST_MIN_MAX(unsigned long, long, unsigned long)
ECHO_HOST_MIN_MAX(unsigned long, unsigned long, long)
ECHO_HOST_MIN_MAX(long long, long long, long long)
ECHO_HOST_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
ECHO_HOST_MIN_MAX(unsigned long long, long long, unsigned long long)
ECHO_HOST_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef ECHO_HOST_MIN_MAX

// NaN: the other operand, as fmin and fmax.
#define ECHO_HOST_MIN_MAX(R, A, B, Suffix)                                     \
  static inline __attribute__((host)) R min(const A a, const B b) {            \
    return __builtin_fmin##Suffix(a, b);                                       \
  }                                                                            \
  static inline __attribute__((host)) R max(const A a, const B b) {            \
    return __builtin_fmax##Suffix(a, b);                                       \
  }
ECHO_HOST_MIN_MAX(float, float, float, f)
ECHO_HOST_MIN_MAX(double, double, double, )
ECHO_HOST_MIN_MAX(double, float, double, )
ECHO_HOST_MIN_MAX(double, double, float, )
#undef ECHO_HOST_MIN_MAX

#endif
#endif
