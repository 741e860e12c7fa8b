//===- RuntimeFunction.h - C declarations as LLVM types ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives the LLVM types of functions and structures that a runtime library
// declares in runtime/abi, so that no file of the compiler repeats them. What a
// declaration does not say (attributes, linkage) is its user's decision.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_SUPPORT_RUNTIMEFUNCTION_H
#define ECHO_SUPPORT_RUNTIMEFUNCTION_H

#include "llvm/IR/DerivedTypes.h"
#include <cassert>
#include <cstddef>
#include <type_traits>

namespace echo {

/// The type of a C value: void, a pointer, or an integer.
template <typename T> llvm::Type *irType(llvm::LLVMContext &C) {
  static_assert(std::is_void_v<T> || std::is_pointer_v<T> ||
                std::is_integral_v<T>);
  if constexpr (std::is_void_v<T>)
    return llvm::Type::getVoidTy(C);
  else if constexpr (std::is_pointer_v<T>)
    return llvm::PointerType::get(C, 0);
  else
    return llvm::IntegerType::get(C, 8 * sizeof(T));
}

template <typename T> struct IrFunctionType;
template <typename Result, typename... Parameters>
struct IrFunctionType<Result(Parameters...)> {
  static llvm::FunctionType *get(llvm::LLVMContext &C) {
    return llvm::FunctionType::get(irType<Result>(C),
                                   {irType<Parameters>(C)...},
                                   /*isVarArg=*/false);
  }
};

/// A function that a program may call; ECHO_FUNCTION makes one.
struct RuntimeFunction {
  const char *Name;
  llvm::FunctionType *(*Type)(llvm::LLVMContext &C);
};

/// The C function \p Fn, which a header of runtime/abi declares. Not called
/// here, and not linked.
#define ECHO_FUNCTION(Fn)                                                      \
  (::echo::RuntimeFunction{                                                    \
      #Fn,                                                                     \
      &::echo::IrFunctionType<std::remove_reference_t<decltype(Fn)>>::get})

/// The type of C structure \p S with all its \p Members, in order.
template <typename S, typename... Members>
llvm::StructType *irStructType(llvm::LLVMContext &C, Members S::*...Member) {
  // Naturally aligned members have one layout in C and in LLVM.
  [[maybe_unused]] size_t End = 0;
  [[maybe_unused]] auto Follows = [&](size_t At, size_t Size) {
    const bool Fits = At == (End + Size - 1) / Size * Size;
    End = At + Size;
    return Fits;
  };
  [[maybe_unused]] const S Example{};
  [[maybe_unused]] auto Place = [&](const auto &M) {
    return size_t(reinterpret_cast<const char *>(&M) -
                  reinterpret_cast<const char *>(&Example));
  };
  assert((Follows(Place(Example.*Member), sizeof(Members)) && ...) &&
         "members in another order");
  assert(sizeof(S) - End < alignof(S) && "a member is missing");
  return llvm::StructType::get(C, {irType<Members>(C)...});
}

} // namespace echo

#endif
