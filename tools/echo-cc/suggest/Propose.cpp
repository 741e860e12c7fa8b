//===- Propose.cpp - What a host job proposes for its pairs ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A consumer of the AST that runs after the one that generates code. Text that
// is no UTF-8 is not proposed: no report could hold it.
//
//===----------------------------------------------------------------------===//
#include "Propose.h"
#include "OtherUnits.h"
#include "Remedy.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

using namespace clang;
using llvm::StringRef;

namespace echo::suggest {

namespace {
/// What the passes of this process's only job left for the consumer.
struct Wanted {
  std::string File;
  std::optional<UnitReport> Report;
};
} // namespace

static Wanted &wanted() {
  static Wanted OfJob;
  return OfJob;
}

/// A buffer by its names, which stay when lines move.
static std::string keyOf(const AllocSite &Site) {
  return Site.Name.value_or("-") + " in " + Site.Function;
}

static bool isText(const Proposal &P) {
  return llvm::all_of(P.Edits,
                      [](const Edit &E) { return llvm::json::isUTF8(E.Text); });
}

/// Leaves in \p All what the unit's file may have.
static void finish(std::vector<Proposal> &All, const SourceIndex &Source) {
  for (Proposal &P : All)
    llvm::for_each(P.Edits, [&](Edit &E) { Source.useLineEnds(E); });
  llvm::erase_if(All, [](const Proposal &P) { return !isText(P); });
}

/// The pairs of \p Report and what remedies propose for them.
static UnitState stateOf(const UnitReport &Report, ASTContext &Context) {
  const SourceIndex Source(Context);
  UnitState Unit;
  Unit.File = Source.file().str();
  for (const PairReport &Pair : Report.Pairs) {
    PairState &State = Unit.Pairs.emplace_back();
    State.Host = keyOf(Pair.Host);
    State.Device = keyOf(Pair.Device);
    State.Result = Pair.Result;
    State.Proposals = proposalsFor(Pair, Report, Source);
    finish(State.Proposals, Source);
  }
  for (const PairReport &Pair : Report.Pairs)
    Unit.Missing.push_back(outOfSight(Pair, Source));
  for (const KeptCopy &Copy : Report.CopiesKept)
    Unit.Missing.push_back(outOfSight(Copy, Source));
  addFunctions(Unit, Source);
  for (const KeptCopy &Copy : Report.CopiesKept)
    finish(Unit.Copies.emplace_back(proposalsFor(Copy, Source)), Source);
  return Unit;
}

namespace {
class Consumer : public ASTConsumer {
public:
  void HandleTranslationUnit(ASTContext &Context) override {
    DiagnosticsEngine &Diags = Context.getDiagnostics();
    if (!wanted().Report || Diags.hasErrorOccurred())
      return;
    std::error_code Error;
    llvm::raw_fd_ostream Out(wanted().File, Error);
    if (!Error) {
      Out << toText(stateOf(*wanted().Report, Context));
      Out.close();
      Error = Out.error();
    }
    if (Error)
      Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Error,
                                         "cannot write '%0': %1"))
          << wanted().File << Error.message();
  }
};

class Action : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &,
                                                 StringRef) override {
    return std::make_unique<Consumer>();
  }
  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddAfterMainAction; }
};
} // namespace

void writeProposals(HostOptions &Host, const std::string &File) {
  static FrontendPluginRegistry::Add<Action> Registered(
      "echo-suggest", "changes with which pairs merge");
  wanted().File = File;
  // A change is looked for with which the pair is proved.
  Host.AssumeFiles.clear();
  Host.ReadFromSource = nullptr;
  Host.OnReport = [](const UnitReport &Report) { wanted().Report = Report; };
}

} // namespace echo::suggest
