//===- CudaHeader.h - What CUDA declares, without CUDA ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header that stands before every file that the survey reads, so that no
// CUDA toolkit is needed. Functions of the CUDA runtime come from
// runtime/abi/CudaApi.def and take any arguments: the survey reads calls, it
// does not check them.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_CUDAHEADER_H
#define ECHO_TOOLS_ECHOSURVEY_CUDAHEADER_H

#include <string>
#include <vector>

namespace echo::survey {

/// Where the header is, for -include. No such file is on the disk.
inline const char *const CudaHeaderPath = "/echo-survey/cuda.h";
/// A folder of empty headers of CUDA's names, which come before those of a
/// toolkit.
inline const char *const EmptyHeaderFolder = "/echo-survey/include";

/// The text of the header, valid as C and C++.
std::string cudaHeader();

/// CUDA's headers that are empty in EmptyHeaderFolder.
const std::vector<std::string> &emptyHeaders();

} // namespace echo::survey

#endif
