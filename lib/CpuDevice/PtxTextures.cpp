//===- PtxTextures.cpp - Inline PTX of textures and surfaces --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads geometry, coordinates and mode of tex, tld4, suld.b and sust.b, as
// clang's header and user code write them. A predicate, a sparse fetch and a
// gradient in a cube map are refused. It must never drop an operand that
// changes what is accessed.
//
//===----------------------------------------------------------------------===//
#include "PtxTextures.h"
#include "runtime/abi/CpuTexture.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"
#include <optional>

using namespace llvm;

namespace echo::cpudevice {

/// What an instruction's coordinates mean. In a cube map they are a direction.
struct PtxTextures::Geometry {
  StringRef Name;
  unsigned Dims;
  bool Layered = false;
  bool Cube = false;
};

const PtxTextures::Geometry *PtxTextures::geometryOf(StringRef Name) {
  static constexpr Geometry All[] = {{"1d", 1},
                                     {"2d", 2},
                                     {"3d", 3},
                                     {"a1d", 1, true},
                                     {"a2d", 2, true},
                                     {"cube", 3, false, true},
                                     {"acube", 3, true, true}};
  const auto *It =
      find_if(All, [&](const Geometry &G) { return G.Name == Name; });
  return It == std::end(All) ? nullptr : It;
}

Value *PtxTextures::number(StringRef Name) {
  return as(read(Name, 32), B.getFloatTy());
}

Value *PtxTextures::index(StringRef Name) { return read(Name, 32); }

Value *PtxTextures::object(const PtxOperand &O) {
  if (!O.IsAddress || O.Parts.size() < 2 || O.Offset)
    return nullptr;
  Value *Object = Registers.lookup(O.Parts[0]);
  return Object && Object->getType()->isIntegerTy(64) ? as(Object, B.getPtrTy())
                                                      : nullptr;
}

SmallVector<Value *> PtxTextures::numbers(ArrayRef<std::string> From,
                                          unsigned Dims) {
  SmallVector<Value *> Result;
  if (From.size() < Dims)
    return Result;
  for (unsigned I = 0; I != 3; ++I) {
    Result.push_back(I < Dims ? number(From[I])
                              : ConstantFP::get(B.getFloatTy(), 0));
    if (!Result.back())
      return {};
  }
  return Result;
}

Value *PtxTextures::call(StringRef Name, ArrayRef<Value *> Args) {
  Function *F = Unit.devlibFunction(Name);
  return F ? B.CreateCall(F, Args) : nullptr;
}

bool PtxTextures::writeTexel(const PtxStatement &S, Value *Texel) {
  if (!Texel || S.Operands[0].Parts.size() != 4)
    return false;
  for (auto [I, Name] : enumerate(S.Operands[0].Parts))
    if (!write(S, Name, B.CreateExtractElement(Texel, I)))
      return false;
  return true;
}

Value *PtxTextures::level(const PtxStatement &S, StringRef How,
                          const Geometry &G, Value *Object) {
  const size_t More = S.Operands.size() - 2;
  if (How.empty())
    return More == 0 ? ConstantFP::get(B.getFloatTy(), 0) : nullptr;
  if (How == "level")
    return More == 1 ? number(S.Operands[2].Parts[0]) : nullptr;
  if (More != 2 || G.Cube)
    return nullptr;
  SmallVector<Value *> Args = {Object, B.getInt32(G.Dims)};
  for (const PtxOperand &Step : {S.Operands[2], S.Operands[3]}) {
    SmallVector<Value *> Of = numbers(Step.Parts, G.Dims);
    if (Of.empty())
      return nullptr;
    append_range(Args, Of);
  }
  return call("echo_tex_level", Args);
}

bool PtxTextures::texture(const PtxStatement &S) {
  ArrayRef<std::string> M = ArrayRef(S.Mnemonic).drop_front();
  StringRef How;
  if (!M.empty() && (M[0] == "level" || M[0] == "grad")) {
    How = M[0];
    M = M.drop_front();
  }
  if (M.size() != 4 || S.Operands.size() < 2 || M[1] != "v4" ||
      !is_contained({"f32", "s32", "u32"}, StringRef(M[2])))
    return false;
  const Geometry *G = geometryOf(M[0]);
  Value *Object = object(S.Operands[1]);
  if (!G || !Object)
    return false;
  ArrayRef<std::string> At = ArrayRef(S.Operands[1].Parts).drop_front();
  if (M[3] == "s32") {
    Value *X = index(At[0]);
    return G->Name == "1d" && How.empty() && X &&
           writeTexel(S, call("echo_tex_fetch", {Object, X}));
  }
  Value *Layer = G->Layered ? index(At[0]) : B.getInt32(0);
  SmallVector<Value *> Args =
      numbers(G->Layered ? At.drop_front() : At, G->Dims);
  if (M[3] != "f32" || !Layer || Args.empty())
    return false;
  Value *Level = level(S, How, *G, Object);
  if (!Level)
    return false;
  Args.insert(Args.begin(), Object);
  if (!G->Cube)
    Args.insert(Args.begin() + 1, B.getInt32(G->Dims));
  Args.append({Layer, Level});
  return writeTexel(S,
                    call(G->Cube ? "echo_tex_cube" : "echo_tex_sample", Args));
}

bool PtxTextures::gather(const PtxStatement &S) {
  ArrayRef<std::string> M = ArrayRef(S.Mnemonic).drop_front();
  if (M.size() != 5 || S.Operands.size() != 2 || M[1] != "2d" || M[2] != "v4" ||
      !is_contained({"f32", "s32", "u32"}, StringRef(M[3])) || M[4] != "f32")
    return false;
  const size_t Channel =
      M[0].size() == 1 ? StringRef("rgba").find(M[0][0]) : StringRef::npos;
  Value *Object = object(S.Operands[1]);
  ArrayRef<std::string> At = ArrayRef(S.Operands[1].Parts).drop_front();
  if (!Object || Channel == StringRef::npos || At.size() < 2)
    return false;
  Value *X = number(At[0]), *Y = number(At[1]);
  return X && Y &&
         writeTexel(
             S, call("echo_tex_gather", {Object, X, Y, B.getInt32(Channel)}));
}

/// What \p Name says of accesses beyond the surface.
static std::optional<EchoCpuBoundary> boundaryOf(StringRef Name) {
  return StringSwitch<std::optional<EchoCpuBoundary>>(Name)
      .Case("trap", ECHO_CPU_TRAP)
      .Case("clamp", ECHO_CPU_NEAREST)
      .Case("zero", ECHO_CPU_ZERO)
      .Default(std::nullopt);
}

bool PtxTextures::surface(const PtxStatement &S) {
  const bool Stores = S.Mnemonic[0] == "sust";
  ArrayRef<std::string> M = ArrayRef(S.Mnemonic).drop_front();
  // suld.b.2d.v4.b32.trap; the vector is left out where there is one part.
  if ((M.size() != 4 && M.size() != 5) || M[0] != "b" || S.Operands.size() != 2)
    return false;
  const Geometry *G = geometryOf(M[1]);
  const size_t Parts = M.size() == 4  ? 1
                       : M[2] == "v2" ? 2
                       : M[2] == "v4" ? 4
                                      : 0;
  auto T = PtxType::parse(M[M.size() - 2]);
  auto Boundary = boundaryOf(M.back());
  const PtxOperand &Data = S.Operands[Stores ? 1 : 0];
  const PtxOperand &Address = S.Operands[Stores ? 0 : 1];
  Value *Object = object(Address);
  if (!G || G->Cube || !T || T->Kind != PtxType::Bits || !Boundary || !Object ||
      Data.Parts.size() != Parts ||
      Address.Parts.size() < 1 + G->Dims + G->Layered)
    return false;
  ArrayRef<std::string> At = ArrayRef(Address.Parts).drop_front();
  Value *Place[3] = {B.getInt32(0), B.getInt32(0), B.getInt32(0)};
  if (G->Layered)
    Place[2] = index(At[0]);
  for (unsigned D = 0; D != G->Dims; ++D)
    Place[D] = index(At[D + G->Layered]);
  if (is_contained(Place, nullptr))
    return false;
  for (auto [Part, Name] : enumerate(Data.Parts)) {
    SmallVector<Value *> Args = {Object,
                                 Place[0],
                                 Place[1],
                                 Place[2],
                                 B.getInt32(*Boundary),
                                 B.getInt32(T->Width / 8),
                                 B.getInt32(Parts),
                                 B.getInt32(Part)};
    if (!Stores) {
      Value *V = call("echo_surface_load", Args);
      if (!V || !write(S, Name, B.CreateTrunc(V, B.getIntNTy(T->Width))))
        return false;
      continue;
    }
    Value *V = read(Name, T->Width);
    if (!V)
      return false;
    Args.push_back(B.CreateZExt(V, B.getInt64Ty()));
    if (!call("echo_surface_store", Args))
      return false;
  }
  return true;
}

} // namespace echo::cpudevice
