//===- NvccLanguage.h - What nvcc's front end takes and clang's not -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A `__shared__` variable of a class with a constructor: nvcc warns and runs
// neither constructor nor destructor, clang refuses it. The attribute
// `echo_shared`, which the header of nvcc's definitions adds to every
// `__shared__`, lets such a variable of a function through the checks, and
// makes it a shared variable without initializer before code is generated. An
// initializer that the program wrote stays an error.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_NVCCLANGUAGE_H
#define ECHO_CC_NVCCLANGUAGE_H

namespace echo {

/// Makes the attribute known to the compilations of this process.
void addNvccLanguage();

} // namespace echo

#endif
