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
// An upload that a loop repeats may stand before the loop: where the host
// buffer and the new one are proved to be one, no iteration uploads anything
// else. That needs the merge as its proof; a copy on the device alone does not.
//
//===----------------------------------------------------------------------===//
#include "CudaText.h"
#include "Remedy.h"
#include "Variables.h"

using namespace clang;

namespace echo::suggest {

namespace {
/// Builds the proposals for one pair.
class Builder {
public:
  Builder(const PairReport &Pair, const DeviceBuffer &D,
          const SourceIndex &Source)
      : Pair(Pair), D(D), Source(Source) {}

  std::vector<Proposal> run();

private:
  bool findCalls();
  bool chooseName();
  bool isRepeated(const CudaCall &Copy) const;
  std::vector<const Statement *> loopsAround(const CudaCall &Upload) const;
  bool sameBefore(const CudaCall &Upload, const Statement &Loop) const;
  bool addBuffer(Proposal &P) const;
  bool addCopies(Proposal &P, const Statement *Loop, bool Wait) const;
  void insert(Proposal &P, unsigned At, const Twine &Text) const {
    P.Edits.push_back({At, 0, Text.str()});
  }

  const PairReport &Pair;
  const DeviceBuffer &D;
  const SourceIndex &Source;
  std::vector<std::pair<const CudaCall *, bool>> Copies; ///< bool: an upload
  std::vector<const CudaCall *> Frees;
  std::string Name; ///< of the new buffer
};
} // namespace

/// The linking copies and the frees of the buffer. False: one is not where the
/// new variable is visible, or is written in another way.
bool Builder::findCalls() {
  const Statement &Alloc = *D.Alloc->In;
  const auto Visible = [&](const CudaCall &Call) {
    return Alloc.sharesBlockWith(*Call.In) && Call.In->Begin >= Alloc.End;
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
      if (!Visible(*Free) || !Source.isWhole(*Free))
        return false;
      Frees.push_back(Free);
    }
  return !Copies.empty() && !Frees.empty() &&
         isSetOnlyBy(Alloc.Function, D.Variable, Alloc.Node,
                     Source.context().getSourceManager());
}

/// A name that the unit does not use.
bool Builder::chooseName() {
  const Range All{0, static_cast<unsigned>(Source.text().size())};
  for (const char *End : {"_shared", "_shared2", "_shared3"}) {
    Name = D.Variable->getNameAsString() + End;
    if (Source.isFree(Name, All))
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

/// True if \p Upload does the same right before \p Loop as in it: its arguments
/// are there, and have the same values.
bool Builder::sameBefore(const CudaCall &Upload, const Statement &Loop) const {
  const SourceManager &SM = Source.context().getSourceManager();
  for (const Expr *Argument : Upload.Call->arguments()) {
    if (isa<CXXDefaultArgExpr>(Argument))
      continue;
    const auto Needed = dependencies(Argument);
    if (!Needed)
      return false;
    for (const VarDecl *V : *Needed)
      if (SM.getFileOffset(V->getLocation()) >= Loop.Begin ||
          !SM.isWrittenInMainFile(V->getLocation()) ||
          mayChange(Loop.Node, V) || !keepsToItself(Loop.Function, V, SM))
        return false;
  }
  return true;
}

/// The loops before which \p Upload may stand, the outermost first.
std::vector<const Statement *>
Builder::loopsAround(const CudaCall &Upload) const {
  std::vector<const Statement *> Loops;
  for (const Statement *S = Upload.In->Around; S && !S->holds(*D.Alloc->In);
       S = S->Around)
    if (S->isLoop() && sameBefore(Upload, *S))
      Loops.insert(Loops.begin(), S);
  return Loops;
}

/// Adds the new buffer, its allocation and its frees.
bool Builder::addBuffer(Proposal &P) const {
  const Statement &Alloc = *D.Alloc->In;
  const auto Allocation =
      withArguments(*D.Alloc, {{ApiRole::OutDev, Name}}, Source);
  if (!Allocation)
    return false;
  const std::string Indent = "\n" + Source.indent(Alloc.Begin);
  insert(P, Source.behind(Alloc),
         Indent + declarationLike(*D.Variable, Name, Source) + Indent +
             *Allocation);
  for (const CudaCall *Free : Frees) {
    const auto Text = withArguments(*Free, {{ApiRole::Dev, Name}}, Source);
    if (!Text)
      return false;
    insert(P, Source.behind(*Free->In),
           "\n" + Source.indent(Free->In->Begin) + *Text);
  }
  return true;
}

/// Adds a copy on the device to each linking copy; uploads go before \p Loop,
/// if there is one.
bool Builder::addCopies(Proposal &P, const Statement *Loop, bool Wait) const {
  const std::string OnDevice = "cudaMemcpyDeviceToDevice";
  for (const auto &[Copy, Upload] : Copies) {
    const Range &S = *Copy->In;
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
      insert(P, Loop->Begin, *Linking + "\n" + Source.indent(Loop->Begin));
    else
      insert(P, S.Begin, (Upload ? *Linking : *Filling) + Indent);
    llvm::append_range(P.Edits, *Moving);
    // A copy from the host ends before the call does, or at least waits for
    // what ran before; one on the device does neither.
    const bool Waited = !Copy->Api.isAsync() && (Loop || Source.hasStreams());
    if (Upload && (Wait || Waited) && !Source.waitsAfter(*Copy->In))
      insert(P, Source.behind(S), Indent + waitLike(*Copy->In, Source));
  }
  return true;
}

std::vector<Proposal> Builder::run() {
  if (!findCalls() || !chooseName() ||
      llvm::none_of(Copies,
                    [&](const auto &C) { return isRepeated(*C.first); }))
    return {};
  const unsigned Uploads =
      llvm::count_if(Copies, [](const auto &C) { return C.second; });
  std::vector<const Statement *> Loops;
  for (const auto &[Copy, Upload] : Copies)
    if (Upload && Uploads == 1)
      Loops = loopsAround(*Copy);
  Loops.push_back(nullptr);
  const std::string Host = Pair.Host.Name.value_or("the host buffer");
  std::vector<Proposal> All;
  for (const Statement *Loop : Loops)
    for (const bool Wait : {false, true}) {
      Proposal P;
      P.What = (Loop ? "upload " + Host + " once, before line " +
                           std::to_string(Source.line(Loop->Begin)) + ", to '"
                     : "copy between " + Host + " and '") +
               Name + "', and from there on the device";
      P.Result = Loop ? Outcome::Unifies : Outcome::Merges;
      if (addBuffer(P) && addCopies(P, Loop, Wait))
        All.push_back(std::move(P));
      if (!Uploads)
        break;
    }
  return All;
}

std::vector<Proposal> CopyOnDevice::propose(const PairReport &Pair,
                                            const UnitReport &,
                                            const SourceIndex &Source) const {
  const auto D = deviceBufferOf(Pair, Source);
  return D ? Builder(Pair, *D, Source).run() : std::vector<Proposal>();
}

} // namespace echo::suggest
