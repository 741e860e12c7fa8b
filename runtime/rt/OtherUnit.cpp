//===- OtherUnit.cpp - A premise that may not hold ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once for each premise, ECHO_PREMISE_ID. echo-cc adds the object to a
// link in which another unit may break that premise.
//
//===----------------------------------------------------------------------===//
#define ECHO_NAME(Id) ECHO_PASTE(Id)
#define ECHO_PASTE(Id) echort_others_##Id

extern "C" const unsigned char ECHO_NAME(ECHO_PREMISE_ID);
const unsigned char ECHO_NAME(ECHO_PREMISE_ID) = 1;
