//===- InlineAsm.cpp - Inline PTX -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates the straight-line PTX that CUDA's headers and simple user code
// write: moves, arithmetic, conversions, comparisons, loads and stores through
// generic pointers, atomics, fences. Special registers and what threads do
// together become the NVVM intrinsics that lowerIntrinsics knows. Packed video
// instructions are functions of cpu_devlib (echo_ptx_*). Anything else is
// reported with its text.
//
//===----------------------------------------------------------------------===//
#include "llvm/IR/InlineAsm.h"
#include "PtxTextures.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo::cpudevice {
namespace {

using Mods = std::vector<std::string>;

/// What may stand between the name of a load or store and its type.
static constexpr StringLiteral AccessWords[] = {"global",
                                                "nc",
                                                "ca",
                                                "cg",
                                                "cs",
                                                "lu",
                                                "cv",
                                                "wb",
                                                "wt",
                                                "v2",
                                                "v4",
                                                "volatile",
                                                "generic",
                                                "const",
                                                "relaxed",
                                                "acquire",
                                                "release",
                                                "gpu",
                                                "sys",
                                                "cta",
                                                "weak",
                                                "L1::no_allocate",
                                                "L1::evict_last",
                                                "L1::evict_first",
                                                "L2::64B",
                                                "L2::128B",
                                                "L2::256B"};

class Translator : public PtxTextures {
public:
  Translator(DeviceUnit &Unit, CallBase &Call)
      : PtxTextures(Unit, Call),
        Asm(*cast<InlineAsm>(Call.getCalledOperand())) {}

  /// Replaces the uses of the call; false where something is not known.
  bool run() {
    if (StringRef(Asm.getAsmString()).contains("%reserved_smem_offset_1"))
      return reservedShared();
    auto Statements = parsePtx(Asm.getAsmString());
    if (!Statements || !bindOperands())
      return false;
    for (const PtxStatement &S : *Statements)
      if (!execute(S))
        return false;
    return finish();
  }

private:
  bool bindOperands() {
    unsigned Arg = 0, Operand = 0;
    SmallVector<unsigned> Outputs;
    for (const InlineAsm::ConstraintInfo &C : Asm.ParseConstraints()) {
      if (C.Type == InlineAsm::isClobber)
        continue;
      if (C.Type == InlineAsm::isLabel || C.isIndirect)
        return false;
      if (C.Type == InlineAsm::isOutput) {
        OutputNames.push_back("$" + utostr(Operand++));
        continue;
      }
      Value *V = Call.getArgOperand(Arg++);
      if (C.hasMatchingInput() || (!C.Codes.empty() && isDigit(C.Codes[0][0])))
        Registers["$" + C.Codes[0]] = V;
      Registers["$" + utostr(Operand++)] = V;
    }
    return true;
  }

  /// Cooperative groups ask for a small part of shared memory that the
  /// toolkit keeps for them. It belongs to the block, so to the host thread.
  bool reservedShared() {
    constexpr StringLiteral Name = "echo_dev.reserved_shared";
    constexpr unsigned Bytes = 1024;
    if (!Call.getType()->isIntegerTy(64))
      return false;
    Module &M = *Unit.Device;
    GlobalVariable *Area = M.getNamedGlobal(Name);
    if (!Area) {
      Type *T = ArrayType::get(B.getInt8Ty(), Bytes);
      Area = new GlobalVariable(M, T, false, GlobalValue::InternalLinkage,
                                Constant::getNullValue(T), Name, nullptr,
                                GlobalValue::GeneralDynamicTLSModel);
      Area->setAlignment(Align(16));
    }
    Call.replaceAllUsesWith(
        B.CreatePtrToInt(B.CreateThreadLocalAddress(Area), B.getInt64Ty()));
    return true;
  }

  Type *outputType(unsigned I) const {
    if (auto *S = dyn_cast<StructType>(Call.getType()))
      return S->getElementType(I);
    return Call.getType();
  }

  bool finish() {
    Value *Result = nullptr;
    if (OutputNames.size() == 1) {
      Result = as(Registers.lookup(OutputNames[0]), outputType(0));
      if (!Result)
        return false;
    } else if (!OutputNames.empty()) {
      Result = PoisonValue::get(Call.getType());
      for (auto [I, Name] : enumerate(OutputNames)) {
        Value *V = as(Registers.lookup(Name), outputType(I));
        if (!V)
          return false;
        Result = B.CreateInsertValue(Result, V, I);
      }
    }
    if (Result)
      Call.replaceAllUsesWith(Result);
    return true;
  }

  bool execute(const PtxStatement &S) {
    StringRef Op = S.Mnemonic[0];
    if (Op == "tex")
      return S.Predicate.empty() && texture(S);
    if (Op == "tld4")
      return S.Predicate.empty() && gather(S);
    if (Op == "suld" || Op == "sust")
      return S.Predicate.empty() && surface(S);
    for (const PtxOperand &O : S.Operands)
      if (O.Parts.size() > 1 && !O.IsVector && Op != "shfl")
        return false;
    if (Op == "mov")
      return move(S);
    if (Op == "ld" || Op == "ldu" || Op == "st")
      return S.Predicate.empty() && memory(S, Op == "st");
    if (Op == "cvt")
      return convert(S);
    if (Op == "setp" || Op == "set")
      return compare(S);
    if (Op == "selp")
      return select(S);
    if (Op == "cvta" && S.Operands.size() == 2)
      return write(S, S.Operands[0].Parts[0], read(S.Operands[1].Parts[0], 64));
    if (Op == "membar" || Op == "fence") {
      B.CreateFence(AtomicOrdering::SequentiallyConsistent);
      return true;
    }
    if (Op == "prefetch" || Op == "prefetchu" || Op == "pmevent" ||
        Op == "griddepcontrol" || Op == "discard" || Op == "applypriority")
      return true;
    if (Op == "atom" || Op == "red")
      return S.Predicate.empty() && atomic(S);
    if (Op == "trap" || Op == "brkpt")
      return S.Predicate.empty() && trap();
    if (Op == "bar" || Op == "barrier" || Op == "nanosleep" ||
        Op == "activemask" || Op == "exit")
      return S.Predicate.empty() && together(S);
    if (Op == "shfl" || Op == "vote" || Op == "redux")
      return S.Predicate.empty() && warp(S);
    return libraryCall(S) || arithmetic(S);
  }

  bool trap() {
    B.CreateCall(Unit.service("echo_cpu_trap", B.getVoidTy(), {}));
    return true;
  }

  bool move(const PtxStatement &S) {
    auto T = PtxType::parse(S.Mnemonic.back());
    if (S.Operands.size() != 2 || !T || S.Mnemonic.size() != 2)
      return false;
    const PtxOperand &To = S.Operands[0], &From = S.Operands[1];
    const unsigned Bits = T->totalBits();
    Value *V;
    if (From.IsVector) {
      SmallVector<Value *> Values;
      const unsigned Part = Bits / From.Parts.size();
      for (const std::string &Name : From.Parts) {
        Values.push_back(read(Name, Part));
        if (!Values.back())
          return false;
      }
      V = pack(Values, {PtxType::Bits, Part, 1});
    } else {
      V = read(From.Parts[0], Bits);
    }
    if (!V || !To.IsVector)
      return write(S, To.Parts[0], V);
    const unsigned Part = Bits / To.Parts.size();
    for (auto [I, Name] : enumerate(To.Parts))
      if (!write(S, Name,
                 B.CreateTrunc(B.CreateLShr(V, I * Part), B.getIntNTy(Part))))
        return false;
    return true;
  }

  /// How the words between an instruction's name and its type have memory read
  /// or written.
  struct Access {
    bool Volatile = false, Ordered = false;
  };

  /// None where one of the words asks for something that is not translated.
  static std::optional<Access> accessOf(ArrayRef<StringRef> Words) {
    Access A;
    for (StringRef Word : Words) {
      if (!is_contained(AccessWords, Word))
        return std::nullopt;
      A.Volatile |= Word == "volatile" || Word == "cv";
      A.Ordered |= Word == "relaxed" || Word == "acquire" || Word == "release";
    }
    return A;
  }

  /// Where \p Address begins; null where it is none of the generic space's.
  Value *baseOf(const PtxOperand &Address) {
    Value *Base = Registers.lookup(Address.Parts[0]);
    // A 32-bit address is one of shared memory's own space.
    if (!Address.IsAddress || !Base ||
        (Base->getType()->isIntegerTy() &&
         Base->getType()->getIntegerBitWidth() != 64))
      return nullptr;
    return as(Base, B.getPtrTy());
  }

  bool store(StringRef Name, const PtxType &T, Value *At, Access How) {
    Value *V = read(Name, T.totalBits());
    if (!V)
      return false;
    StoreInst *Store =
        B.CreateAlignedStore(V, At, Align(T.totalBits() / 8), How.Volatile);
    if (How.Ordered)
      Store->setAtomic(AtomicOrdering::Release);
    return true;
  }

  Value *load(const PtxType &T, Value *At, Access How) {
    LoadInst *Load = B.CreateAlignedLoad(
        B.getIntNTy(T.totalBits()), At, Align(T.totalBits() / 8), How.Volatile);
    if (How.Ordered)
      Load->setAtomic(AtomicOrdering::Acquire);
    return T.Kind == PtxType::Signed && T.Width < 32
               ? B.CreateSExt(Load, B.getInt32Ty())
               : Load;
  }

  bool memory(const PtxStatement &S, bool IsStore) {
    auto T = PtxType::parse(S.Mnemonic.back());
    if (S.Operands.size() != 2 || !T)
      return false;
    const SmallVector<StringRef> Words(drop_begin(drop_end(S.Mnemonic)));
    const std::optional<Access> How = accessOf(Words);
    const PtxOperand &Address = S.Operands[IsStore ? 0 : 1];
    const PtxOperand &Data = S.Operands[IsStore ? 1 : 0];
    Value *Base = How ? baseOf(Address) : nullptr;
    if (!Base)
      return false;
    for (auto [I, Name] : enumerate(Data.Parts)) {
      Value *At = B.CreateConstGEP1_64(B.getInt8Ty(), Base,
                                       Address.Offset + I * T->totalBits() / 8);
      if (IsStore ? !store(Name, *T, At, *How)
                  : !write(S, Name, load(*T, At, *How)))
        return false;
    }
    return true;
  }

  bool convert(const PtxStatement &S) {
    const size_t N = S.Mnemonic.size();
    if (N < 3)
      return false;
    auto To = PtxType::parse(S.Mnemonic[N - 2]);
    auto From = PtxType::parse(S.Mnemonic[N - 1]);
    if (!To || !From || S.Operands.size() != To->Lanes + 1)
      return false;
    Mods M(S.Mnemonic.begin() + 1, S.Mnemonic.end() - 2);
    SmallVector<Value *> Results;
    // cvt.rn.f16x2.f32 d, high, low.
    for (unsigned Lane = 0; Lane != To->Lanes; ++Lane) {
      Value *V = read(S.Operands[To->Lanes - Lane].Parts[0], From->totalBits());
      if (!V || From->Lanes != 1)
        return false;
      Results.push_back(Arithmetic.convert(M, *To, *From, lanes(V, *From)[0]));
      if (!Results.back())
        return false;
    }
    Value *R = pack(Results, *To);
    if (!To->isFloat() && To->Width < 32 && To->Kind == PtxType::Signed)
      R = B.CreateSExt(R, B.getInt32Ty());
    return write(S, S.Operands[0].Parts[0], R);
  }

  /// setp.lt.f32 p, a, b and set.lt.f16x2.f16x2 d, a, b.
  bool compare(const PtxStatement &S) {
    const bool ToPredicate = S.Mnemonic[0] == "setp";
    const size_t N = S.Mnemonic.size(), Types = ToPredicate ? 1 : 2;
    if (S.Operands.size() != 3 || N < 2 + Types)
      return false;
    auto T = PtxType::parse(S.Mnemonic.back());
    auto To = ToPredicate ? PtxType{PtxType::Predicate, 1, 1}
                          : PtxType::parse(S.Mnemonic[N - 2]);
    if (!T || !To || To->Lanes != (ToPredicate ? 1 : T->Lanes) ||
        T->Lanes > 2 || (ToPredicate && T->Lanes != 1))
      return false;
    for (size_t I = 2; I + Types < N; ++I)
      if (S.Mnemonic[I] != "ftz")
        return false;
    Value *L = read(S.Operands[1].Parts[0], T->totalBits());
    Value *R = read(S.Operands[2].Parts[0], T->totalBits());
    if (!L || !R)
      return false;
    SmallVector<Value *> A = lanes(L, *T), C = lanes(R, *T), Results;
    for (unsigned Lane = 0; Lane != T->Lanes; ++Lane) {
      Value *P = Arithmetic.compare(S.Mnemonic[1], *T, A[Lane], C[Lane]);
      if (!P)
        return false;
      if (ToPredicate)
        return write(S, S.Operands[0].Parts[0], P);
      if (To->isFloat())
        P = B.CreateUIToFP(P, To->Kind == PtxType::BFloat || To->Width == 32
                                  ? B.getFloatTy()
                                  : B.getHalfTy());
      else
        P = B.CreateSExt(P, B.getIntNTy(To->Width));
      Results.push_back(P);
    }
    return write(S, S.Operands[0].Parts[0], pack(Results, *To));
  }

  bool select(const PtxStatement &S) {
    auto T = PtxType::parse(S.Mnemonic.back());
    if (!T || S.Operands.size() != 4)
      return false;
    Value *A = read(S.Operands[1].Parts[0], T->totalBits());
    Value *C = read(S.Operands[2].Parts[0], T->totalBits());
    Value *P = Registers.lookup(S.Operands[3].Parts[0]);
    if (!A || !C || !P)
      return false;
    return write(S, S.Operands[0].Parts[0],
                 B.CreateSelect(as(P, B.getInt1Ty()), A, C));
  }

  /// A function of the library that is the whole instruction.
  bool libraryCall(const PtxStatement &S) {
    Function *F = Unit.devlibFunction("echo_ptx_" + join(S.Mnemonic, "_"));
    if (!F || F->arg_size() + 1 != S.Operands.size())
      return false;
    SmallVector<Value *> Args;
    for (auto [I, A] : enumerate(F->args())) {
      const unsigned Bits = A.getType()->getPrimitiveSizeInBits();
      Args.push_back(as(read(S.Operands[I + 1].Parts[0], Bits), A.getType()));
      if (!Args.back())
        return false;
    }
    return write(S, S.Operands[0].Parts[0], B.CreateCall(F, Args));
  }

  bool arithmetic(const PtxStatement &S) {
    auto T = PtxType::parse(S.Mnemonic.back());
    if (!T || S.Operands.size() < 2 || T->Kind == PtxType::Predicate)
      return false;
    Mods M(S.Mnemonic.begin() + 1, S.Mnemonic.end() - 1);
    SmallVector<SmallVector<Value *>> Args;
    for (size_t I = 1; I != S.Operands.size(); ++I) {
      const bool Wide =
          S.Mnemonic[0] == "mad" && I == 3 && is_contained(M, "wide");
      const bool Count =
          I == 2 && (S.Mnemonic[0] == "shl" || S.Mnemonic[0] == "shr");
      Value *V = read(S.Operands[I].Parts[0], Count  ? 32
                                              : Wide ? 2 * T->Width
                                                     : T->totalBits());
      if (!V)
        return false;
      Args.push_back(Count || Wide ? SmallVector<Value *>{V} : lanes(V, *T));
    }
    SmallVector<Value *> Results;
    for (unsigned Lane = 0; Lane != T->Lanes; ++Lane) {
      SmallVector<Value *> One;
      for (auto &A : Args)
        One.push_back(A[Lane < A.size() ? Lane : 0]);
      Results.push_back(Arithmetic.emit(S.Mnemonic[0], M, *T, One));
      if (!Results.back())
        return false;
    }
    if (T->Lanes == 1 && T->Kind != PtxType::BFloat)
      return write(S, S.Operands[0].Parts[0], Results[0]);
    return write(S, S.Operands[0].Parts[0], pack(Results, *T));
  }

  InlineAsm &Asm;
  SmallVector<std::string> OutputNames;
};

/// Names what an instruction belongs to, for messages.
std::string featureOf(StringRef Text) {
  for (StringRef Prefix : {"tex.", "tld4.", "suld.", "sust.", "sured.", "txq."})
    if (size_t At = Text.find(Prefix); At != StringRef::npos)
      return "the texture or surface instruction '" +
             Text.substr(At).take_until(isSpace).str() + "'";
  for (StringRef Prefix :
       {"wmma.", "mma.sync", "ldmatrix", "stmatrix", "wgmma.", "tcgen05."})
    if (Text.contains(Prefix))
      return "a tensor core instruction";
  std::string Printed = Text.trim().str();
  std::replace(Printed.begin(), Printed.end(), '$', '%');
  return "the inline PTX \"" + Printed + "\"";
}

} // namespace

void lowerInlineAsm(DeviceUnit &Unit, CallBase &Call) {
  Translator T(Unit, Call);
  if (!T.run()) {
    Unit.unsupported(
        Call,
        featureOf(cast<InlineAsm>(Call.getCalledOperand())->getAsmString()),
        "use a CUDA function instead, or compile with "
        "--device=cuda");
    return;
  }
  Call.eraseFromParent();
  for (CallInst *New : T.emitted())
    lowerCall(Unit, *New);
}

} // namespace echo::cpudevice
