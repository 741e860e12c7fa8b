//===- LinkedBy.cpp - What echo-cc linked ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once for a library and once for a program, as ECHO_LINKED (Linked in
// LoadedUnits.h). echo-cc adds the object to what it links with echort.
//
//===----------------------------------------------------------------------===//
extern "C" const unsigned char echort_linked_by;
const unsigned char echort_linked_by = ECHO_LINKED;
