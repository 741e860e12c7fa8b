//===- CudaApi.cpp - The CUDA runtime table, for the compiler -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands CudaApi.def once into a map. A role that is misspelt in the table
// stops the first look-up: the table is part of the program.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/CudaApi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace echo {

namespace {
struct Row {
  ApiInfo Info;
  StringRef Suffix;
};
} // namespace

static ApiRole parseRole(StringRef Word) {
  auto Role = StringSwitch<std::optional<ApiRole>>(Word)
#define CUDA_API_ROLE(Word, Role, Text) .Case(Word, ApiRole::Role)
#include "runtime/abi/CudaApiWords.def"
                  .Default(std::nullopt);
  if (!Role)
    report_fatal_error(Twine("CudaApi.def: no role is called '") + Word + "'");
  return *Role;
}

static const StringMap<Row> &table() {
  static const StringMap<Row> Table = [] {
    StringMap<Row> T;
    auto AddRow = [&T](StringRef Name, ApiKind Kind, StringRef Args,
                       StringRef Suffix) {
      Row R{{Name, Kind, {}, false}, Suffix == "none" ? StringRef() : Suffix};
      SmallVector<StringRef, 8> Words;
      Args.split(Words, ' ', -1, /*KeepEmpty=*/false);
      for (StringRef Word : Words)
        R.Info.Roles.push_back(parseRole(Word));
      T[Name] = R;
    };
#define CUDA_API(Name, Kind, Args, Suffix, RowKind)                            \
  AddRow(#Name, ApiKind::Kind, Args, #Suffix);
#include "runtime/abi/CudaApi.def"
    return T;
  }();
  return Table;
}

std::optional<unsigned> ApiInfo::find(ApiRole R) const {
  const auto *It = llvm::find(Roles, R);
  if (It == Roles.end())
    return std::nullopt;
  return It - Roles.begin();
}

std::optional<ApiInfo> lookupCudaApi(StringRef Symbol) {
  const StringMap<Row> &T = table();
  auto It = T.find(Symbol);
  if (It != T.end())
    return It->second.Info;
  auto [Base, Suffix] = Symbol.rsplit('_');
  It = T.find(Base);
  if (It == T.end() || Suffix.empty() || It->second.Suffix != Suffix)
    return std::nullopt;
  ApiInfo Info = It->second.Info;
  Info.PerThread = true;
  return Info;
}

/// Puts in place of each dim3 of \p Api what the host ABI made of it, which
/// the number of arguments tells. False if that is neither of the two.
static bool spreadDim3(ApiInfo &Api, unsigned NumArgs) {
  const unsigned Dims = llvm::count(Api.Roles, ApiRole::Dim3);
  if (!Dims)
    return true;
  const unsigned Extra = NumArgs - Api.Roles.size();
  if (Extra != 0 && Extra != Dims)
    return false;
  SmallVector<ApiRole, 8> Roles;
  for (ApiRole R : Api.Roles)
    Roles.append(R == ApiRole::Dim3 && Extra ? 2 : 1,
                 R == ApiRole::Dim3 ? ApiRole::Value : R);
  Api.Roles = std::move(Roles);
  return true;
}

std::optional<ApiInfo> cudaApiOf(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration())
    return std::nullopt;
  std::optional<ApiInfo> Api = lookupCudaApi(Callee->getName());
  // One that is declared otherwise than CUDA's is not known: a cudaError_t has
  // 32 bits.
  const Type *Result = Call.getType();
  if (Api && ((Result->isIntegerTy() && !Result->isIntegerTy(32)) ||
              !spreadDim3(*Api, Call.arg_size())))
    return std::nullopt;
  return Api;
}

bool hasNoFlags(const CallBase &Call, const ApiInfo &Api) {
  auto Flags = Api.find(ApiRole::Flags);
  return !Flags || match(Call.getArgOperand(*Flags), PatternMatch::m_ZeroInt());
}

bool looksLikeCuda(StringRef Symbol) {
  auto StartsApi = [&](StringRef Prefix) {
    return Symbol.starts_with(Prefix) && Symbol.size() > Prefix.size() &&
           isUpper(Symbol[Prefix.size()]);
  };
  return StartsApi("cuda") || StartsApi("cu") || StartsApi("__cuda");
}

} // namespace echo
