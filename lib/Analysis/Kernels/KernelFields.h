//===- KernelFields.h - Pointers inside a kernel's structs ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel does with the pointers that it finds in a parameter which is a
// struct or lambda, and with those whose address it looks at, from their uses
// in device IR. Whatever is not understood means that nothing is known. It
// never changes IR.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_KERNELS_KERNELFIELDS_H
#define ECHO_ANALYSIS_KERNELS_KERNELFIELDS_H

#include "Analysis/Kernels/KernelFacts.h"
#include "Analysis/Kernels/PtxAccess.h"

namespace llvm {
class Argument;
class Use;
class User;
class Value;
} // namespace llvm

namespace echo {

/// What is done with \p Pointer and with what is computed from it, also in
/// functions that get it; one that returns it keeps it. Its low bits may be
/// looked at: device memory and merged blocks are aligned alike.
FieldFacts usesOf(const llvm::Value &Pointer);

/// False if \p U gives a pointer to a function in sight that keeps nothing of
/// it (usesOf()).
bool keepsArgument(const llvm::Use &U);

/// Alignment of device memory, in bytes (CUDA C++ Programming Guide, "Device
/// Memory Accesses").
inline constexpr uint64_t DeviceAlignment = 256;

/// True if \p I is an address as a number of which only bits are used in which
/// blocks of alignment \p Alignment, in bytes, do not differ.
bool onlyLowBits(const llvm::User &I, uint64_t Alignment);

/// True if \p U, arithmetic on such an address, gives only such bits, or
/// numbers of which only these are used.
bool takesLowBits(const llvm::User &U, uint64_t Alignment);

/// What device code does with address \p I, a number, of which else only low
/// bits are used: inline assembly gets it as the place of accesses, or it is
/// aligned, moved by a constant, and added to \p Pointers as one again. Nothing
/// if it may do more, or if \p I is something else.
std::optional<PtxAccess>
usesOfNumber(const llvm::User &I,
             llvm::SmallVectorImpl<const llvm::Value *> &Pointers);

/// True if \p V compares two addresses in one buffer, which is the same
/// wherever that lies.
bool comparesInOneBuffer(const llvm::Value *V);

/// All loads of byval parameter \p A, also in functions that get its address:
/// bytes that are loaded as a pointer have the facts of its uses, others are
/// captured, those that are copied, too, and so is the word around bytes that
/// may become part of an address. Nothing if \p A is used in another way.
std::optional<std::vector<FieldFacts>> collectFields(const llvm::Argument &A);

} // namespace echo

#endif
