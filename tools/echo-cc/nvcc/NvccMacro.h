//===- NvccMacro.h - Macros that some files must not see --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs ask for __NVCC__ where they mean "a CUDA compiler", often to define
// their __host__ __device__ macros. The headers of CUDA and of C++ ask for it
// where they mean nvcc's own builtins, which clang does not have.
//
// A CUDA source begins with headers that nvcc would not include, cuda.h among
// them. The user's -DN=64 must not reach their parameters.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_NVCCMACRO_H
#define ECHO_TOOLS_ECHOCC_NVCCMACRO_H

namespace clang {
class CompilerInstance;
}

namespace echo {

/// Defines __NVCC__ as 1 in all files of \p Clang's compilation but system
/// headers, and keeps nvcc's macros of the command line from these, too. What
/// the source itself does to such a macro stays in force.
void defineNvccMacro(clang::CompilerInstance &Clang);

/// Hides what the command line defines under a name that no header asks for,
/// one of up to three letters, from the headers that come first.
void hideUserMacros(clang::CompilerInstance &Clang);

} // namespace echo

#endif
