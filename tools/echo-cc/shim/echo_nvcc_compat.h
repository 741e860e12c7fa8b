//===- echo_nvcc_compat.h - What nvcc provides and clang does not ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by echo-cc before every CUDA source. Adds the host overloads of
// ::min and ::max (clang has the device ones) for the types of CUDA's
// math_functions.h, with the same results, and nvcc's macros. It must never
// define __NVCC__: headers would then expect nvcc's own builtins.
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
