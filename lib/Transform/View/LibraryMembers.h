//===- LibraryMembers.h - Members that the library looks after --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A std::string in an object gives its own address to functions of the library,
// and keeps it in itself. Those functions know nothing of the object around it,
// so what they do stays inside the member. Says which addresses of members are
// of that kind: all uses are followed, and one that may reach code of the
// program refuses the member. Changes no IR.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_LIBRARYMEMBERS_H
#define ECHO_TRANSFORM_VIEW_LIBRARYMEMBERS_H

#include <cstdint>
#include <optional>

namespace llvm {
class CallBase;
class GEPOperator;
} // namespace llvm

namespace echo {

class ModelTable;

/// A member of an object, from a byte of it on.
struct LibraryMember {
  int64_t Before; ///< so many bytes of it lie before the address
  uint64_t Bytes; ///< in all
};

/// The member that \p G is an address in, if its type is one of the C++
/// library's and all that uses this address stays inside it; else nothing.
std::optional<LibraryMember> libraryMember(const llvm::GEPOperator &G,
                                           const ModelTable &Models);

/// The bytes that \p Call, of a function of the C++ library, uses at its
/// argument \p Arg, which is an object of that library; else nothing. What the
/// call returns is used inside that object, too.
std::optional<uint64_t> libraryUses(const llvm::CallBase &Call, unsigned Arg,
                                    const ModelTable &Models);

} // namespace echo

#endif
