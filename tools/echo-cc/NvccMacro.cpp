//===- NvccMacro.cpp - __NVCC__ for the user's own files ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes the macro away at the entry of a system header and puts it back at the
// next file that is none.
//
//===----------------------------------------------------------------------===//
#include "NvccMacro.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace echo {

namespace {
class MacroSwitch : public PPCallbacks {
public:
  explicit MacroSwitch(Preprocessor &PP)
      : PP(PP), Name(PP.getIdentifierInfo("__NVCC__")) {}
  void FileChanged(SourceLocation Loc, FileChangeReason Reason,
                   SrcMgr::CharacteristicKind Kind, FileID Previous) override;

private:
  void define(SourceLocation Loc);

  Preprocessor &PP;
  IdentifierInfo *Name;
  MacroInfo *Macro = nullptr;
  bool Hidden = true; ///< to be put back
};

/// Callbacks can be added once there is a preprocessor.
class MacroSwitchMaker : public DependencyCollector {
public:
  void attachToPreprocessor(Preprocessor &PP) override {
    PP.addPPCallbacks(std::make_unique<MacroSwitch>(PP));
  }
};
} // namespace

void MacroSwitch::define(SourceLocation Loc) {
  if (!Macro) {
    Token One;
    One.startToken();
    One.setKind(tok::numeric_constant);
    PP.CreateString("1", One, Loc, Loc);
    Macro = PP.AllocateMacroInfo(Loc);
    Macro->setTokens(One, PP.getPreprocessorAllocator());
    Macro->setDefinitionEndLoc(Loc);
  }
  PP.appendDefMacroDirective(Name, Macro, Loc);
}

void MacroSwitch::FileChanged(SourceLocation Loc, FileChangeReason,
                              SrcMgr::CharacteristicKind Kind, FileID) {
  bool System = SrcMgr::isSystem(Kind);
  if (!System && Hidden) {
    define(Loc);
    Hidden = false;
  } else if (System && !Hidden && PP.getMacroInfo(Name) == Macro) {
    PP.appendMacroDirective(Name, new (PP.getPreprocessorAllocator())
                                      UndefMacroDirective(Loc));
    Hidden = true;
  }
}

void defineNvccMacro(CompilerInstance &Clang) {
  Clang.addDependencyCollector(std::make_shared<MacroSwitchMaker>());
}

} // namespace echo
