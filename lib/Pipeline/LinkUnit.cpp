//===- LinkUnit.cpp - A unit that is decided at link time -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options are one string in named metadata, which the IR linker joins, as are
// the facts about a unit's device functions (-rdc=true). Facts about kernels
// hang on their stubs: the linker renames static stubs of one name, and takes
// one of several equal ones.
//
//===----------------------------------------------------------------------===//
#include "Pipeline/LinkUnit.h"
#include "Analysis/Api/Names.h"
#include "Analysis/Api/StubArguments.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <type_traits>

using namespace llvm;

namespace echo {

static constexpr StringRef UnitsName = "echo.units", FactsName = "echo.facts",
                           FunctionsName = "echo.functions";

static std::string absolute(StringRef Path) {
  SmallString<128> Full(Path);
  if (!Path.empty())
    (void)sys::fs::make_absolute(Full); // else it stays as it is
  return std::string(Full);
}

static std::vector<std::string>
absolute(const std::vector<std::string> &Files) {
  std::vector<std::string> Full;
  for (const std::string &File : Files)
    Full.push_back(absolute(StringRef(File)));
  return Full;
}

/// Calls \p Visit(Name, Member, Link) for each row of HostOptions.def that a
/// link hears of; Link is what the row says.
template <typename Options, typename Visitor>
static void forEachLinkOption(Options &O, Visitor Visit) {
  enum LinkForm { Value, Path, Job };
#define ECHO_HOST_OPTION(Name, Member, Link)                                   \
  if constexpr (Link != Job)                                                   \
    Visit(Name, O.Member, std::bool_constant<Link == Path>());
#include "Pipeline/HostOptions.def"
}

/// A list that has nothing is not written.
static bool isEmptyList(const std::vector<std::string> &List) {
  return List.empty();
}
template <typename Value> static bool isEmptyList(const Value &) {
  return false;
}

std::string toText(const HostOptions &O) {
  json::Object Fields{{"version", ECHO_VERSION}};
  forEachLinkOption(O, [&](StringRef Name, const auto &Member, auto IsPath) {
    if (isEmptyList(Member))
      return;
    if constexpr (IsPath)
      Fields[Name] = absolute(Member);
    else
      Fields[Name] = Member;
  });
  std::string Text;
  raw_string_ostream(Text) << json::Value(std::move(Fields));
  return Text;
}

Expected<HostOptions> hostOptionsFromText(StringRef Text) {
  Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed)
    return Parsed.takeError();
  json::Path::Root Root("options");
  json::ObjectMapper Map(*Parsed, Root);
  HostOptions O;
  std::string Version;
  bool Understood = Map && Map.map("version", Version);
  forEachLinkOption(O, [&](StringLiteral Name, auto &Member, auto) {
    if (isEmptyList(Member))
      Understood = Understood && Map.mapOptional(Name, Member);
    else
      Understood = Understood && Map.map(Name, Member);
  });
  if (!Understood)
    return Root.getError();
  if (Version != ECHO_VERSION)
    return createStringError("'%s' was compiled by echo-cc %s, this is %s",
                             O.Source.c_str(), Version.c_str(), ECHO_VERSION);
  return O;
}

static std::string toText(const KernelFactsTable &Facts) {
  std::string Text;
  raw_string_ostream OS(Text);
  Facts.print(OS);
  return Text;
}

HostOptions withScopes(HostOptions Options) {
  if (Options.ReadFromSource)
    append_range(Options.AssumedScopes, *Options.ReadFromSource);
  return Options;
}

void prepareForLink(Module &M, const HostOptions &Options,
                    const KernelFactsTable &Facts) {
  LLVMContext &C = M.getContext();
  auto Note = [&](StringRef Text) {
    return MDNode::get(C, MDString::get(C, Text));
  };
  M.getOrInsertNamedMetadata(UnitsName)->addOperand(
      Note(toText(withScopes(Options))));
  for (Function &F : M) {
    auto Kernel = kernelNameOfStub(F.getName());
    const KernelFacts *Known = Kernel ? Facts.lookup(*Kernel) : nullptr;
    if (!F.isDeclaration())
      keepNames(F);
    if (!Known || F.isDeclaration())
      continue;
    KernelFactsTable One;
    One.add(*Kernel, *Known);
    if (auto It = Facts.linked().find(*Kernel); It != Facts.linked().end())
      One.addLinked(*Kernel, It->second);
    F.setMetadata(FactsName, Note(toText(One)));
  }
  KernelFactsTable Functions;
  for (const auto &Entry : Facts.linked())
    if (!Facts.lookup(Entry.getKey()))
      Functions.addLinked(Entry.getKey(), Entry.second);
  if (!Functions.linked().empty())
    M.getOrInsertNamedMetadata(FunctionsName)
        ->addOperand(Note(toText(Functions)));
}

static StringRef textOf(const MDNode &N) {
  return cast<MDString>(N.getOperand(0))->getString();
}

/// Adds the facts that hang on stub \p F, under the name that it has now.
static Error addFacts(const Function &F, KernelFactsTable &Facts) {
  const MDNode *N = F.getMetadata(FactsName);
  auto Now = kernelNameOfStub(F.getName());
  if (!N || !Now)
    return Error::success();
  Expected<KernelFactsTable> One = KernelFactsTable::parse(textOf(*N));
  if (!One)
    return One.takeError();
  One->forEach(
      [&](StringRef, const KernelFacts &Known) { Facts.add(*Now, Known); });
  for (const auto &Entry : One->linked())
    Facts.addLinked(*Now, Entry.second);
  return Error::success();
}

Expected<std::optional<LinkedUnits>> gatherUnits(const Module &M,
                                                 const HostOptions &Link) {
  const NamedMDNode *Units = M.getNamedMetadata(UnitsName);
  if (!Units)
    return std::nullopt;
  LinkedUnits L;
  L.Options = Link;
  auto AddNew = [](std::vector<std::string> &List, const std::string &Item) {
    if (!Item.empty() && !is_contained(List, Item))
      List.push_back(Item);
  };
  uint64_t MinBytes = 0;
  std::optional<HostOptions> First;
  for (const MDNode *N : Units->operands()) {
    Expected<HostOptions> Unit = hostOptionsFromText(textOf(*N));
    if (!Unit)
      return Unit.takeError();
    if (!First)
      First = *Unit;
    if (Unit->PerThreadDefaultStream != First->PerThreadDefaultStream)
      return createStringError(
          "'%s' and '%s' differ in --default-stream=per-thread; compile all "
          "files alike",
          First->Source.c_str(), Unit->Source.c_str());
    MinBytes = std::max(MinBytes, Unit->MinBytes);
    L.Options.Unify &= Unit->Unify;
    L.Options.Repair |= Unit->Repair;
    L.Options.Estimate |= Unit->Estimate;
    if (L.Options.Rates.empty())
      L.Options.Rates = Unit->Rates;
    if (L.Options.Run.empty())
      L.Options.Run = Unit->Run;
    AddNew(L.Sources, Unit->Source);
    AddNew(L.ReportsText, Unit->ReportText);
    AddNew(L.ReportsJson, Unit->ReportJson);
    for (const std::string &File : Unit->ModelFiles)
      AddNew(L.Options.ModelFiles, File);
    for (const std::string &File : Unit->AssumeFiles)
      AddNew(L.Options.AssumeFiles, File);
    for (const std::string &Scope : Unit->AssumedScopes)
      AddNew(L.Options.AssumedScopes, Scope);
  }
  L.Options.PerThreadDefaultStream = First->PerThreadDefaultStream;
  if (Link.MinBytes == DefaultMinBytes)
    L.Options.MinBytes = MinBytes;
  if (!Link.ReportText.empty())
    L.ReportsText = {Link.ReportText};
  if (!Link.ReportJson.empty())
    L.ReportsJson = {Link.ReportJson};
  for (const Function &F : M)
    if (Error E = addFacts(F, L.Facts))
      return std::move(E);
  if (const NamedMDNode *Functions = M.getNamedMetadata(FunctionsName))
    for (const MDNode *N : Functions->operands()) {
      Expected<KernelFactsTable> Unit = KernelFactsTable::parse(textOf(*N));
      if (!Unit)
        return Unit.takeError();
      L.Facts.merge(*Unit);
    }
  L.Facts.resolveLinked();
  return L;
}

} // namespace echo
