//===- Names.h - Source places and variable names ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells where an instruction came from and which source variable holds an
// allocation, for reports only. Answers come from debug locations and value
// names; where those are missing the answer is empty, never a guess.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_API_NAMES_H
#define ECHO_ANALYSIS_API_NAMES_H

#include "Support/Verdict.h"

namespace llvm {
class CallBase;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace echo {

class ModelTable;

/// The place in user code of \p I: of the frames that were inlined, the
/// innermost that is not in a system header.
SourceLoc locate(const llvm::Instruction &I);

/// True if locate() finds a place that is in no system header.
bool isInUserCode(const llvm::Instruction &I);
/// True if \p F was written in no system header, as far as is known.
bool isInUserCode(const llvm::Function &F);

/// The source name of the function that locate() speaks of ("main").
std::string sourceFunction(const llvm::Instruction &I);

/// Attaches to every call of \p F that returns or fills a pointer the name of
/// the variable that receives it (metadata !echo.name). Must run before
/// variables are promoted to values.
void recordNames(llvm::Function &F, const ModelTable &Models);

/// Makes attributes of what recordNames() attached to calls of \p F, too: where
/// inlining makes an invoke of a call, that is what it keeps.
void holdNames(llvm::Function &F);
/// Attaches as recordNames() does what holdNames() kept at \p Call.
void releaseNames(llvm::CallBase &Call);

/// Keeps the names of \p F's variables and members as metadata, for a reader
/// of its bitcode that drops value names.
void keepNames(llvm::Function &F);
/// The same for variable \p I, which is called \p Name.
void keepName(llvm::Instruction &I, llvm::StringRef Name);

/// The name that recordNames() attached, if any.
std::optional<std::string> recordedName(const llvm::CallBase &Call);

/// The size of the allocation in source variables ("n*4"), as recordNames()
/// found it, if it has a short form.
std::optional<std::string> recordedSize(const llvm::CallBase &Call);

/// "blur" for _Z4blurPfi: the name without its parameters.
std::string shortName(llvm::StringRef Mangled);

/// The variable that memory at \p Address belongs to ("v" for a member of v),
/// or an empty name.
std::string variableOf(const llvm::Value *Address);

} // namespace echo

#endif
