// nvcc's flags for lambdas and constexpr functions define a macro each, in CUDA sources alone. System headers, which
// would use nvcc's builtins, do not see them; the user's own #undef stays in force.
// REQUIRES: cuda-toolkit
// RUN: %precompiled_cc -w -fsyntax-only -std=c++17 --extended-lambda --expt-relaxed-constexpr -DBOTH %s
// RUN: %precompiled_cc -w -fsyntax-only -std=c++17 -expt-extended-lambda -DLAMBDA %s
// RUN: %precompiled_cc -w -fsyntax-only -std=c++17 -arch=sm_75 %s
// RUN: %echo_cc -w -fsyntax-only -std=c++17 --extended-lambda --expt-relaxed-constexpr -x c++ %s
// RUN: rm -rf %t && mkdir %t && echo '#ifdef __CUDACC_EXTENDED_LAMBDA__' > %t/seen.h && echo '#error "seen"' >> %t/seen.h && echo '#endif' >> %t/seen.h
// RUN: %precompiled_cc -w -fsyntax-only -std=c++17 --extended-lambda -DLAMBDA -DSYSTEM -isystem %t %s
// RUN: not %precompiled_cc -w -fsyntax-only -std=c++17 --extended-lambda -DLAMBDA -DSYSTEM -I %t %s 2>&1 | FileCheck %s
// CHECK: error: "seen"
#include <vector>
#ifdef SYSTEM
#include <seen.h>
#endif
#if defined(BOTH) || defined(LAMBDA)
#if __CUDACC_EXTENDED_LAMBDA__ != 1
#error "no macro for lambdas"
#endif
#elif defined(__CUDACC_EXTENDED_LAMBDA__)
#error "a macro for lambdas"
#endif
#ifdef BOTH
#if __CUDACC_RELAXED_CONSTEXPR__ != 1
#error "no macro for constexpr functions"
#endif
#elif defined(__CUDACC_RELAXED_CONSTEXPR__)
#error "a macro for constexpr functions"
#endif
#undef __CUDACC_EXTENDED_LAMBDA__
#include <map>
#ifdef __CUDACC_EXTENDED_LAMBDA__
#error "it came back"
#endif
