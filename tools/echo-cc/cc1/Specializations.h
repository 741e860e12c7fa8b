//===- Specializations.h - Templates and specializations for two sides -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc takes an explicit specialization that is for another side (__host__,
// __device__) than its function template; to clang it specializes nothing. Here
// both are declared for both sides. A specialization that was not for the side
// of the job is `inline` there, so that its body, which nothing calls, is no
// code.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SPECIALIZATIONS_H
#define ECHO_CC_SPECIALIZATIONS_H

#include "cc1/SourceEdits.h"

namespace echo {

/// What to insert so that the function whose name is at \p Name in \p Text is
/// for both sides; \p OnDevice: the job is of device code. Nothing: its
/// declaration is not understood.
std::optional<SourceEdit> editForBothSides(llvm::StringRef Text, size_t Name,
                                           bool OnDevice);

} // namespace echo

#endif
