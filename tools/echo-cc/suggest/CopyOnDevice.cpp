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
// An upload that a loop repeats may stand before the loop; where only the merge
// proves that (UploadLoops.h), the proposal says so.
//
//===----------------------------------------------------------------------===//
#include "CudaText.h"
#include "Frees.h"
#include "Remedy.h"
#include "UploadLoops.h"
#include "Variables.h"

using namespace clang;
using llvm::StringRef;

namespace echo::suggest {

namespace {
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

/// The linking copies and the frees of the buffer. False: one is not where the
/// new variable is visible, or is written in another way.
bool Builder::findCalls() {
  const Statement &Alloc = *D.Alloc->In;
  const auto Whole = Source.wholeOf(*D.Alloc);
  if (!Whole || hasEntriesAfter(Alloc, Source))
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

/// Adds the new buffer, its allocation and its frees.
bool Builder::addBuffer(Proposal &P) const {
  const auto Whole = Source.wholeOf(*D.Alloc);
  const auto Allocation =
      withArguments(*D.Alloc, {{ApiRole::OutDev, Name}}, Source);
  if (!Allocation || !Whole)
    return false;
  const std::string Indent = "\n" + Source.indent(Whole->Begin);
  insert(P, Source.after(*Whole),
         Indent + declarationLike(*D.Variable, Name, Source) + Indent +
             *Allocation);
  for (const auto &[At, Text] : Frees)
    insert(P, Source.after(At), "\n" + Source.indent(At.Begin) + Text);
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
      insert(P, Source.after(S), Indent + waitLike(*Copy->In, Source));
  }
  return true;
}

std::vector<Proposal> Builder::run() {
  if (!chooseName() || !findCalls() ||
      llvm::none_of(Copies, [&](const auto &C) {
        return isRepeated(*C.first, D, Source);
      }))
    return {};
  const unsigned Uploads =
      llvm::count_if(Copies, [](const auto &C) { return C.second; });
  std::vector<OuterLoop> Loops;
  for (const auto &[Copy, Upload] : Copies)
    if (Upload && Uploads == 1)
      Loops = loopsAround(*Copy, D, Source);
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
