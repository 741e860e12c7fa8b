//===- CopyOnDevice.cpp - A second device buffer for the copies -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One of the two buffers is written while the other's content is needed. A new
// device buffer takes the place of the old one in all linking copies, and a
// copy on the device moves the bytes between the two, where the copy was. Only
// the copies touch the new one, so that it may share memory with the host
// buffer.
//
// That pays only for copies that a loop repeats. One that runs once would
// become a copy on the device of as many bytes, and cost a buffer more.
//
// An upload that a loop repeats may stand before the loop where no iteration
// uploads anything else. Either the loop shows it, as it writes no memory of
// the host; or the merge proves it, whatever the sizes are, as the host buffer
// and the new one are one. A merge speaks for one call of a function alone, and
// must not be the proof where another function has the host buffer.
//
//===----------------------------------------------------------------------===//
#include "CudaText.h"
#include "HostWrites.h"
#include "Remedy.h"
#include "Variables.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;
using llvm::StringRef;

namespace echo::suggest {

namespace {
/// A loop around an upload. Reads: it writes no memory of the host.
struct OuterLoop {
  const Statement *At = nullptr;
  bool Reads = false;
};

/// Where a free of the old buffer stands, and the text that frees the new one.
struct FreeText {
  Range At;
  std::string Text;
};

/// Looks for labels behind a place.
class Labels : public ConstDynamicRecursiveASTVisitor {
public:
  Labels(unsigned At, const SourceManager &SM) : At(At), SM(SM) {}

  bool VisitLabelStmt(const LabelStmt *Label) override {
    Any |= SM.getFileOffset(SM.getExpansionLoc(Label->getBeginLoc())) >= At;
    return !Any;
  }
  bool Any = false;

private:
  unsigned At;
  const SourceManager &SM;
};

/// Builds the proposals for one pair.
class Builder {
public:
  Builder(const PairReport &Pair, const UnitReport &Unit, const DeviceBuffer &D,
          const SourceIndex &Source)
      : Pair(Pair), Unit(Unit), D(D), Source(Source) {}

  std::vector<Proposal> run();

private:
  bool findCalls();
  bool chooseName();
  bool isRepeated(const CudaCall &Copy) const;
  std::vector<OuterLoop> loopsAround(const CudaCall &Upload) const;
  Variables deviceVariables() const;
  bool sameBefore(const CudaCall &Upload, const OuterLoop &Loop) const;
  bool addBuffer(Proposal &P) const;
  bool addCopies(Proposal &P, const Statement *Loop, bool Wait) const;
  void insert(Proposal &P, unsigned At, const Twine &Text) const {
    P.Edits.push_back({At, 0, Text.str()});
  }

  const PairReport &Pair;
  const UnitReport &Unit;
  const DeviceBuffer &D;
  const SourceIndex &Source;
  std::vector<std::pair<const CudaCall *, bool>> Copies; ///< bool: an upload
  std::vector<FreeText> Frees;
  std::string Name; ///< of the new buffer
};
} // namespace

/// \p Free of \p V with \p Name in its place, the test whether there is a
/// buffer included; nothing: it has another form.
static std::optional<FreeText> freeText(const CudaCall &Free, const VarDecl *V,
                                        const std::string &Name,
                                        const SourceIndex &Source) {
  if (const auto Whole = Source.wholeOf(Free)) {
    const auto Text = withArguments(Free, {{ApiRole::Dev, Name}}, Source);
    return Text ? std::optional(FreeText{*Whole, *Text}) : std::nullopt;
  }
  const auto *If = dyn_cast<IfStmt>(Free.In->Node);
  if (!If || If->getElse() || If->getInit() || If->getConditionVariable() ||
      If->getThen() != Free.Call)
    return std::nullopt;
  const Expr *Cond = If->getCond()->IgnoreParenImpCasts();
  if (const auto *Compared = dyn_cast<BinaryOperator>(Cond)) {
    if (Compared->getOpcode() != BO_NE ||
        !Compared->getRHS()->isNullPointerConstant(
            Source.context(), Expr::NPC_ValueDependentIsNotNull))
      return std::nullopt;
    Cond = Compared->getLHS()->IgnoreParenImpCasts();
  }
  const Expr *Freed = Free.argument(ApiRole::Dev)->IgnoreParenCasts();
  const auto Asked = Source.rangeOf(Cond->getSourceRange());
  const auto Given = Source.rangeOf(Freed->getSourceRange());
  if (!Asked || !Given || variableOf(Cond) != V || variableOf(Freed) != V ||
      !Free.In->holds(*Asked) || !Free.In->holds(*Given))
    return std::nullopt;
  return FreeText{*Free.In,
                  Source.rewritten(*Free.In, {{Asked->Begin, {*Asked, Name}},
                                              {Given->Begin, {*Given, Name}}})};
}

/// True if control may come to a place behind \p S from elsewhere: to a label,
/// or to a case of the switch around it.
static bool hasEntriesBehind(const Statement &S, const SourceIndex &Source) {
  Labels Found(S.End, Source.context().getSourceManager());
  Found.TraverseStmt(S.Function->getBody());
  return Found.Any || llvm::any_of(Source.statementsOf(S.Block),
                                   [&](const Statement *Other) {
                                     return Other->Begin >= S.End &&
                                            isa<SwitchCase>(Other->Node);
                                   });
}

/// The linking copies and the frees of the buffer. False: one is not where the
/// new variable is visible, or is written in another way.
bool Builder::findCalls() {
  const Statement &Alloc = *D.Alloc->In;
  const auto Whole = Source.wholeOf(*D.Alloc);
  if (!Whole || hasEntriesBehind(Alloc, Source))
    return false;
  const auto Visible = [&](const CudaCall &Call) {
    return Alloc.sharesBlockWith(*Call.In) && Call.In->Begin >= Whole->End;
  };
  for (const LinkCopy &Link : Pair.Links) {
    const CudaCall *Copy = wholeCopy(Link, D, Source);
    if (!Copy || !Visible(*Copy))
      return false;
    if (llvm::none_of(Copies, [&](const auto &C) { return C.first == Copy; }))
      Copies.push_back({Copy, Link.HostToDevice});
  }
  for (const CudaCall *Free :
       Source.callsIn(Alloc.Function, ApiKind::FreeDevice))
    if (variableOf(Free->argument(ApiRole::Dev)) == D.Variable) {
      const auto Text = freeText(*Free, D.Variable, Name, Source);
      if (!Visible(*Free) || !Text)
        return false;
      Frees.push_back(*Text);
    }
  // What the program leaves to its end the new buffer may as well.
  const bool Kept = Alloc.Function->isMain() && !Alloc.Around;
  return !Copies.empty() && (!Frees.empty() || Kept) &&
         isSetOnlyBy(Alloc.Function, D.Variable, D.Alloc->Call,
                     Source.context().getSourceManager());
}

/// A name that the unit does not use, nor the proposals for pairs before this
/// one.
bool Builder::chooseName() {
  const Range All{0, static_cast<unsigned>(Source.text().size())};
  unsigned Taken = 0;
  for (const PairReport &Other : Unit.Pairs) {
    if (&Other == &Pair)
      break;
    Taken += Other.Result == Verdict::Declined &&
             Other.Device.Loc == Pair.Device.Loc;
  }
  for (const char *End : {"_shared", "_shared2", "_shared3", "_shared4"}) {
    Name = D.Variable->getNameAsString() + End;
    if (Source.isFree(Name, All) && !Taken--)
      return true;
  }
  return false;
}

/// The variable that \p S compares with a constant, if \p Copy runs only where
/// the two are equal; or null.
static const VarDecl *comparedBy(const Statement &S, const Statement &Copy,
                                 const SourceIndex &Source) {
  const auto *If = dyn_cast<IfStmt>(S.Node);
  const auto *Equal =
      If ? dyn_cast<BinaryOperator>(If->getCond()->IgnoreParenImpCasts())
         : nullptr;
  if (!Equal || Equal->getOpcode() != BO_EQ)
    return nullptr;
  const auto Then = Source.rangeOf(If->getThen()->getSourceRange());
  const Expr *A = Equal->getLHS(), *B = Equal->getRHS();
  if (!variableOf(A))
    std::swap(A, B);
  return Then && Then->holds(Copy) && !B->isValueDependent() &&
                 B->isEvaluatable(Source.context())
             ? variableOf(A)
             : nullptr;
}

/// True if \p Copy runs several times for one buffer: in a loop that does not
/// allocate it anew, and in more than the iteration that one value names.
bool Builder::isRepeated(const CudaCall &Copy) const {
  Variables Compared;
  for (const Statement *S = Copy.In->Around; S && !S->holds(*D.Alloc->In);
       S = S->Around) {
    if (S->isLoop() && llvm::none_of(Compared, [&](const VarDecl *V) {
          return mayChange(S->Node, V);
        }))
      return true;
    if (const VarDecl *V = comparedBy(*S, *Copy.In, Source))
      Compared.insert(V);
  }
  return false;
}

/// The variables of the function that point to device memory and nothing else.
Variables Builder::deviceVariables() const {
  const FunctionDecl *F = D.Alloc->In->Function;
  Variables Found;
  for (const CudaCall *Call : Source.callsIn(F, ApiKind::AllocDevice)) {
    const VarDecl *V = addressedBy(Call->argument(ApiRole::OutDev));
    if (V && isSetOnlyBy(F, V, Call->Call, Source.context().getSourceManager()))
      Found.insert(V);
  }
  return Found;
}

/// True if \p Upload does the same right before \p Loop as in it: its arguments
/// are there, and have the same values.
bool Builder::sameBefore(const CudaCall &Upload, const OuterLoop &Loop) const {
  const SourceManager &SM = Source.context().getSourceManager();
  const Statement &L = *Loop.At;
  for (const Expr *Argument : Upload.Call->arguments()) {
    if (isa<CXXDefaultArgExpr>(Argument))
      continue;
    auto Needed = dependencies(Argument);
    const bool Member = !Needed && Loop.Reads;
    if (Member)
      Needed = readsOnly(Argument);
    if (!Needed)
      return false;
    for (const VarDecl *V : *Needed) {
      if (SM.getFileOffset(V->getLocation()) >= L.Begin ||
          !SM.isWrittenInMainFile(V->getLocation()))
        return false;
      // A loop that writes no memory changes variables of simple types alone.
      if (!(Member && V->getType()->isRecordType()) &&
          (mayChange(L.Node, V) || !keepsToItself(L.Function, V, SM)))
        return false;
    }
  }
  return true;
}

/// The loops before which \p Upload may stand, the outermost first.
std::vector<OuterLoop> Builder::loopsAround(const CudaCall &Upload) const {
  std::vector<OuterLoop> Loops;
  const Variables Device = deviceVariables();
  for (const Statement *S = Upload.In->Around; S && !S->holds(*D.Alloc->In);
       S = S->Around) {
    const OuterLoop Loop{S,
                         !Source.hasStreams() &&
                             !mayWriteHost(S->Node, Device, Source.context())};
    if (S->isLoop() && (Loop.Reads || D.Callers.empty()) &&
        sameBefore(Upload, Loop))
      Loops.insert(Loops.begin(), Loop);
  }
  return Loops;
}

/// Adds the new buffer, its allocation and its frees.
bool Builder::addBuffer(Proposal &P) const {
  const auto Whole = Source.wholeOf(*D.Alloc);
  const auto Allocation =
      withArguments(*D.Alloc, {{ApiRole::OutDev, Name}}, Source);
  if (!Allocation || !Whole)
    return false;
  const std::string Indent = "\n" + Source.indent(Whole->Begin);
  insert(P, Source.behind(*Whole),
         Indent + declarationLike(*D.Variable, Name, Source) + Indent +
             *Allocation);
  for (const auto &[At, Text] : Frees)
    insert(P, Source.behind(At), "\n" + Source.indent(At.Begin) + Text);
  return true;
}

/// \p Text with its lines moved from indent \p From to indent \p To.
static std::string indented(StringRef Text, StringRef From, StringRef To) {
  std::string Moved;
  for (size_t At = 0; At < Text.size();) {
    const size_t Next = std::min(Text.find(From, At), Text.size());
    Moved += Text.slice(At, Next);
    if (Next < Text.size())
      Moved += To;
    At = Next + From.size();
  }
  return Moved;
}

/// Adds a copy on the device to each linking copy; uploads go before \p Loop,
/// if there is one.
bool Builder::addCopies(Proposal &P, const Statement *Loop, bool Wait) const {
  const std::string OnDevice = "cudaMemcpyDeviceToDevice";
  for (const auto &[Copy, Upload] : Copies) {
    const auto Whole = Source.wholeOf(*Copy);
    if (!Whole)
      return false;
    const Range &S = *Whole;
    const std::string Indent = "\n" + Source.indent(S.Begin);
    const auto Linking = withArguments(
        *Copy, {{Upload ? ApiRole::Dst : ApiRole::Src, Name}}, Source);
    const auto Moving =
        Upload
            ? editArguments(
                  *Copy, {{ApiRole::Src, Name}, {ApiRole::CopyKind, OnDevice}},
                  Source)
            : editArguments(*Copy, {{ApiRole::Src, Name}}, Source);
    const auto Filling = withArguments(
        *Copy, {{ApiRole::Dst, Name}, {ApiRole::CopyKind, OnDevice}}, Source);
    if (!Linking || !Moving || !Filling)
      return false;
    if (Upload && Loop)
      insert(P, Loop->Begin,
             indented(*Linking, Indent, "\n" + Source.indent(Loop->Begin)) +
                 "\n" + Source.indent(Loop->Begin));
    else
      insert(P, S.Begin, (Upload ? *Linking : *Filling) + Indent);
    llvm::append_range(P.Edits, *Moving);
    // A copy from the host ends before the call does, or at least waits for
    // what ran before; one on the device does neither.
    const bool Waited = !Copy->Api.isAsync() && (Loop || Source.hasStreams());
    if (Upload && (Wait || Waited) && !Source.waitsAfter(*Copy))
      insert(P, Source.behind(S), Indent + waitLike(*Copy->In, Source));
  }
  return true;
}

std::vector<Proposal> Builder::run() {
  if (!chooseName() || !findCalls() ||
      llvm::none_of(Copies,
                    [&](const auto &C) { return isRepeated(*C.first); }))
    return {};
  const unsigned Uploads =
      llvm::count_if(Copies, [](const auto &C) { return C.second; });
  std::vector<OuterLoop> Loops;
  for (const auto &[Copy, Upload] : Copies)
    if (Upload && Uploads == 1)
      Loops = loopsAround(*Copy);
  Loops.emplace_back();
  const std::string Host = Pair.Host.Name.value_or("the host buffer");
  std::vector<Proposal> All;
  for (const auto &[Loop, Reads] : Loops)
    for (const bool Wait : {false, true}) {
      Proposal P;
      P.What = (Loop ? "upload " + Host + " once, before line " +
                           std::to_string(Source.line(Loop->Begin)) + ", to '"
                     : "copy between " + Host + " and '") +
               Name + "', and from there on the device";
      P.Result = Loop && !Reads ? Outcome::Unifies : Outcome::Merges;
      if (addBuffer(P) && addCopies(P, Loop, Wait))
        All.push_back(std::move(P));
      if (!Uploads)
        break;
    }
  return All;
}

std::vector<Proposal> CopyOnDevice::propose(const PairReport &Pair,
                                            const UnitReport &Unit,
                                            const SourceIndex &Source) const {
  const auto D = deviceBufferOf(Pair, Source);
  return D ? Builder(Pair, Unit, *D, Source).run() : std::vector<Proposal>();
}

} // namespace echo::suggest
