//===- NvccMacro.cpp - Macros that some files must not see ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes a macro away at the entry of a file that must not see it, and puts it
// back at the next one that may.
//
//===----------------------------------------------------------------------===//
#include "nvcc/NvccMacro.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/Path.h"

using namespace clang;
using llvm::StringRef;

namespace echo {

/// Those that headers ask for where they mean nvcc's own builtins.
static constexpr StringRef NvccMacros[] = {
    "__NVCC__", "__CUDACC_EXTENDED_LAMBDA__", "__CUDACC_RELAXED_CONSTEXPR__"};

namespace {
/// Macros that are taken away for a while.
class HiddenMacros {
public:
  explicit HiddenMacros(Preprocessor &PP) : PP(PP) {}
  bool empty() const { return Hidden.empty(); }
  /// Has the next show() define \p Id as \p Macro.
  void add(IdentifierInfo *Id, MacroInfo *Macro) {
    Hidden.push_back({Id, Macro});
  }
  void hide(StringRef Name, SourceLocation Loc);
  /// Puts back what the source did not define meanwhile.
  void show(SourceLocation Loc);

private:
  Preprocessor &PP;
  std::vector<std::pair<IdentifierInfo *, MacroInfo *>> Hidden;
};

/// Hides nvcc's macros from system headers.
class MacroSwitch : public PPCallbacks {
public:
  explicit MacroSwitch(Preprocessor &PP) : PP(PP), Hidden(PP) {}
  void FileChanged(SourceLocation Loc, FileChangeReason Reason,
                   SrcMgr::CharacteristicKind Kind, FileID Previous) override;

private:
  MacroInfo *one(SourceLocation Loc);

  Preprocessor &PP;
  bool Begun = false;
  HiddenMacros Hidden;
};

/// Hides the user's macros from the headers that every CUDA source begins with.
class UserMacros : public PPCallbacks {
public:
  explicit UserMacros(Preprocessor &PP) : PP(PP), Hidden(PP) {}
  void FileChanged(SourceLocation Loc, FileChangeReason Reason,
                   SrcMgr::CharacteristicKind Kind, FileID Previous) override;

private:
  void hide(SourceLocation Loc);

  Preprocessor &PP;
  HiddenMacros Hidden;
};

/// Callbacks can be added once there is a preprocessor.
template <typename Callbacks> class Maker : public DependencyCollector {
public:
  void attachToPreprocessor(Preprocessor &PP) override {
    PP.addPPCallbacks(std::make_unique<Callbacks>(PP));
  }
};
} // namespace

void HiddenMacros::hide(StringRef Name, SourceLocation Loc) {
  IdentifierInfo *Id = PP.getIdentifierInfo(Name);
  MacroInfo *Macro = PP.getMacroInfo(Id);
  if (!Macro)
    return;
  add(Id, Macro);
  PP.appendMacroDirective(Id, new (PP.getPreprocessorAllocator())
                                  UndefMacroDirective(Loc));
}

void HiddenMacros::show(SourceLocation Loc) {
  for (auto [Id, Macro] : Hidden)
    if (!PP.getMacroInfo(Id))
      PP.appendDefMacroDirective(Id, Macro, Loc);
  Hidden.clear();
}

MacroInfo *MacroSwitch::one(SourceLocation Loc) {
  Token One;
  One.startToken();
  One.setKind(tok::numeric_constant);
  PP.CreateString("1", One, Loc, Loc);
  MacroInfo *Macro = PP.AllocateMacroInfo(Loc);
  Macro->setTokens(One, PP.getPreprocessorAllocator());
  Macro->setDefinitionEndLoc(Loc);
  return Macro;
}

void MacroSwitch::FileChanged(SourceLocation Loc, FileChangeReason,
                              SrcMgr::CharacteristicKind Kind, FileID) {
  if (!std::exchange(Begun, true))
    Hidden.add(PP.getIdentifierInfo(NvccMacros[0]), one(Loc));
  if (!SrcMgr::isSystem(Kind))
    Hidden.show(Loc);
  else if (Hidden.empty())
    for (StringRef Name : NvccMacros)
      Hidden.hide(Name, Loc);
}

/// True for a macro that only a program asks for. A longer name may be meant
/// for the headers: -DcudaMalloc=traced_malloc renames what they declare, too.
static bool isUserName(StringRef Name) {
  return !Name.starts_with("_") && Name.size() <= 3;
}

void UserMacros::hide(SourceLocation Loc) {
  for (const auto &[Text, Undefined] : PP.getPreprocessorOpts().Macros) {
    StringRef Name =
        StringRef(Text).take_while([](char C) { return C != '=' && C != '('; });
    if (Undefined || !isUserName(Name))
      continue;
    Hidden.hide(Name, Loc);
  }
}

void UserMacros::FileChanged(SourceLocation Loc, FileChangeReason Reason,
                             SrcMgr::CharacteristicKind, FileID Previous) {
  const SourceManager &SM = PP.getSourceManager();
  auto IsFirst = [&](FileID File) {
    OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
    StringRef Name =
        Entry ? llvm::sys::path::filename(Entry->getName()) : StringRef();
    return Name == "__clang_cuda_runtime_wrapper.h" ||
           Name == "echo_nvcc_compat.h";
  };
  if (Reason == EnterFile && Hidden.empty() && IsFirst(SM.getFileID(Loc)))
    hide(Loc);
  else if (Reason == ExitFile && IsFirst(Previous))
    Hidden.show(Loc);
}

void defineNvccMacro(CompilerInstance &Clang) {
  Clang.addDependencyCollector(std::make_shared<Maker<MacroSwitch>>());
}

void hideUserMacros(CompilerInstance &Clang) {
  Clang.addDependencyCollector(std::make_shared<Maker<UserMacros>>());
}

} // namespace echo
