//===- SplitFields.h - Fields of mixed structs as variables ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A local object that holds buffers' pointers beside an array or a std::string
// stays in memory as a whole for LLVM, because the array is indexed and the
// string given to the library. Moves the other fields into variables of their
// own, where every access to the object is seen and none but loads and stores
// of the field itself, and what clears or copies it as a whole, can reach its
// bytes. An access inside an array member stays inside it, as the language
// demands.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_SPLITFIELDS_H
#define ECHO_TRANSFORM_VIEW_SPLITFIELDS_H

namespace llvm {
class Function;
} // namespace llvm

namespace echo {

class ModelTable;

/// Splits the objects of \p F. Sees arrays only before pointer arithmetic loses
/// its types (InstCombine). Returns true if anything changed.
bool splitFields(llvm::Function &F, const ModelTable &Models);

} // namespace echo

#endif
