//===- SourceEdits.cpp - Sources that nvcc takes and clang refuses --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An error names the place; for a specialization, a note after it names the
// template. From the first such error on nothing is printed, as the next run
// tells again what is still wrong then, and leaves out what this one has told.
//
//===----------------------------------------------------------------------===//
#include "cc1/SourceEdits.h"
#include "cc1/LaunchBraces.h"
#include "cc1/SourceTokens.h"
#include "cc1/Specializations.h"
#include "cc1/VoidPointers.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

using namespace clang;
using llvm::StringRef;

namespace echo {

std::optional<SourceEdit> editLaunch(StringRef Text, size_t At) {
  if (At >= Text.size() || (Text[At] != '<' && Text[At] != '>'))
    return std::nullopt;
  StringRef Before = Text.take_front(At).rtrim(" \t");
  std::string Two(2, Text[At]);
  if (Before.size() == At || !Before.ends_with(Two))
    return std::nullopt;
  size_t Blanks = At - Before.size();
  return SourceEdit{Before.size(), Blanks + 1,
                    Text[At] + std::string(Blanks, ' ')};
}

std::optional<SourceEdit> editTemplate(StringRef Text, size_t At) {
  Tokens T(Text, At);
  const Token &Tok = T.Tok;
  int Depth = 0;
  bool Qualified = false; // right after `::`
  std::optional<size_t> Last;
  while (T.next()) {
    if (Tok.is(tok::less)) {
      // The arguments of the last name, or of one that qualifies it.
      if (Depth == 0 && Last)
        return SourceEdit{*Last, 0, "template "};
      ++Depth;
    } else if (Tok.isOneOf(tok::greater, tok::greatergreater)) {
      Depth -= Tok.is(tok::greater) ? 1 : 2;
    } else if (Depth == 0) {
      bool Name = Tok.is(tok::raw_identifier);
      if (!Name && Tok.isNot(tok::coloncolon))
        return std::nullopt;
      if (Name && Tok.getRawIdentifier() == "template")
        return std::nullopt;
      Last.reset();
      if (Name && Qualified)
        Last = T.begin();
      Qualified = !Name;
    } else if (Tok.isOneOf(tok::semi, tok::l_brace)) {
      return std::nullopt;
    }
    if (Depth < 0)
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<SourceEdit> editBraces(StringRef Text, size_t At) {
  Tokens T(Text, At);
  const Token &Tok = T.Tok;
  int Depth = 0;
  std::optional<size_t> Equal;
  while (T.next()) {
    if (Equal) {
      if (Tok.isNot(tok::l_brace))
        return std::nullopt;
      StringRef Left = Text.slice(At, *Equal).rtrim();
      return SourceEdit{
          T.begin(), 0,
          ("typename std::decay<decltype(" + Left + ")>::type").str()};
    }
    if (Depth == 0 && Tok.is(tok::equal)) {
      Equal = T.begin();
    } else if (Tok.isOneOf(tok::l_paren, tok::l_square)) {
      ++Depth;
    } else if (Tok.isOneOf(tok::r_paren, tok::r_square)) {
      --Depth;
    }
    if (Depth < 0 || Tok.isOneOf(tok::semi, tok::l_brace))
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<SourceEdit> editVariadic(StringRef Text, size_t At) {
  std::optional<size_t> End = operandEnd(Text, At, /*Whole=*/true);
  if (!End)
    return std::nullopt;
  // A comma between template arguments would end it too early.
  for (Tokens T(Text, At); T.next() && T.end() <= *End;)
    if (T.Tok.is(tok::less))
      return std::nullopt;
  std::string Argument = Text.slice(At, *End).str();
  // One text may have several types, in a template: those that clang passes are
  // an error.
  const std::string Type = "__remove_reference_t(decltype(" + Argument + "))";
  return SourceEdit{At, *End - At,
                    "(&static_cast<" + Type + " const &>(" + Argument +
                        ") + (sizeof(char[__is_class(" + Type +
                        ") || __is_union(" + Type + ") ? 1 : -1]) - 1))"};
}

namespace {

/// More runs than that find nothing new.
constexpr unsigned MaxRuns = 6;

/// Why a place is edited: the letter after its offset.
constexpr char BothSides = 's', Launch = 'l', Template = 't', Void = 'v',
               Braces = 'b', Variadic = 'o';

/// \p Second is that of an operator, or \p At again.
std::optional<SourceEdit> editAt(StringRef Text, size_t At, size_t Second,
                                 char Why, bool OnDevice) {
  switch (Why) {
  case BothSides:
    return editForBothSides(Text, At, OnDevice);
  case Launch:
    return Text.substr(At).starts_with("{") ? editLaunchBraces(Text, At)
                                            : editLaunch(Text, At);
  case Template:
    return editTemplate(Text, At);
  case Void:
    return editVoidPointer(Text, At, Second);
  case Variadic:
    return editVariadic(Text, At);
  default:
    return editBraces(Text, At);
  }
}

/// Edits by their places in the file as it is.
using Edits = std::map<size_t, SourceEdit>;

class Watch : public DiagnosticConsumer {
public:
  Watch(std::unique_ptr<DiagnosticConsumer> Printer, SourceEdits Before)
      : Known(std::move(Before)), Printer(std::move(Printer)) {}

  void BeginSourceFile(const LangOptions &Lang,
                       const Preprocessor *PP) override {
    Printer->BeginSourceFile(Lang, PP);
  }
  void EndSourceFile() override { Printer->EndSourceFile(); }
  void finish() override { Printer->finish(); }
  void clear() override {
    DiagnosticConsumer::clear();
    Printer->clear();
  }
  void HandleDiagnostic(DiagnosticsEngine::Level Level,
                        const Diagnostic &Info) override;

  /// Edits of this run, by file.
  std::map<std::string, Edits> Applied;
  SourceEdits Known;
  bool Silent = false; ///< an error that an edit mends was seen
  unsigned Seen = 0;   ///< diagnostics before it

private:
  bool mends(const Diagnostic &Info, bool IsError);
  bool add(const Diagnostic &Info, SourceLocation Loc, char Why,
           SourceLocation Second = SourceLocation());

  std::unique_ptr<DiagnosticConsumer> Printer;
  SourceLocation Specialization;
};

/// Where byte \p At of a file with edits \p All lies in the file as it is.
/// Nothing: in an edit.
std::optional<size_t> placeBefore(const Edits &All, size_t At) {
  size_t Shift = 0;
  for (const auto &[Place, E] : All) {
    if (Place + Shift >= At)
      break;
    if (E.Remove && At < Place + Shift + E.Insert.size())
      return std::nullopt;
    Shift += E.Insert.size() - E.Remove;
  }
  return At - Shift;
}

/// Where a token of a macro's argument was written; others stay in the macro.
SourceLocation whereWritten(const SourceManager &SM, SourceLocation Loc) {
  while (Loc.isMacroID() && SM.isMacroArgExpansion(Loc))
    Loc = SM.getImmediateSpellingLoc(Loc);
  return Loc;
}

/// Notes the place; false if its text is not one to edit.
bool Watch::add(const Diagnostic &Info, SourceLocation Loc, char Why,
                SourceLocation Second) {
  const SourceManager &SM = Info.getSourceManager();
  Loc = whereWritten(SM, Loc);
  auto [File, Offset] = SM.getDecomposedLoc(Loc);
  OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
  if (Loc.isMacroID() || !Entry)
    return false;
  size_t Other = Offset;
  if (Second.isValid()) {
    Second = whereWritten(SM, Second);
    if (Second.isMacroID() || SM.getFileID(Second) != File)
      return false;
    Other = SM.getFileOffset(Second);
  }
  if (Why != BothSides &&
      !editAt(SM.getBufferData(File), Offset, Other, Why, false))
    return false;
  std::string Path = Entry->getName().str();
  std::optional<size_t> Place = placeBefore(Applied[Path], Offset);
  std::optional<size_t> Place2 = placeBefore(Applied[Path], Other);
  if (!Place || !Place2)
    return false;
  std::string Name =
      Path + "@" + std::to_string(*Place) + "," + std::to_string(*Place2) + Why;
  if (!llvm::is_contained(Known.Places, Name))
    Known.Places.push_back(Name);
  return true;
}

/// True for braces assigned to an object of a class of a system header whose
/// own constructor nvcc takes for them. Empty ones are zero for all its
/// operators.
bool assignsBraces(const Diagnostic &Info) {
  if (Info.getNumArgs() < 3 || Info.getNumRanges() < 2 ||
      Info.getArgKind(0) != DiagnosticsEngine::ak_std_string ||
      Info.getArgStdStr(0) != "=" ||
      Info.getArgKind(1) != DiagnosticsEngine::ak_qualtype)
    return false;
  QualType Type = QualType::getFromOpaquePtr((const void *)Info.getRawArg(1));
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  return Class && Class->hasDefinition() &&
         Info.getSourceManager().isInSystemHeader(Class->getLocation()) &&
         Class->hasDefaultConstructor() &&
         !Class->hasUserProvidedDefaultConstructor();
}

/// True if an edit may mend \p Info, which is an error or may be one.
bool Watch::mends(const Diagnostic &Info, bool IsError) {
  switch (Info.getID()) {
  case diag::err_function_template_spec_no_match:
    Specialization = Info.getLocation();
    return true;
  case diag::err_expected_expression:
    return add(Info, Info.getLocation(), Launch);
  case diag::err_ovl_unresolvable:
  case diag::err_template_kw_missing:
    return add(Info, Info.getLocation(), Template);
  case diag::err_typecheck_pointer_arith_void_type:
    return Info.getNumRanges() == 1 &&
           add(Info, Info.getRange(0).getBegin(), Void, Info.getLocation());
  case diag::err_ovl_ambiguous_oper_binary:
    return assignsBraces(Info) &&
           add(Info, Info.getRange(0).getBegin(), Braces);
  case diag::warn_cannot_pass_non_pod_arg_to_vararg:
  case diag::warn_non_pod_vararg_with_format_string:
    return IsError && add(Info, Info.getLocation(), Variadic);
  default:
    return false;
  }
}

void Watch::HandleDiagnostic(DiagnosticsEngine::Level Level,
                             const Diagnostic &Info) {
  bool MoreRuns = Known.Runs + 1 < MaxRuns;
  if (MoreRuns && mends(Info, Level >= DiagnosticsEngine::Error)) {
    Silent = true;
  } else if (Silent &&
             Info.getID() == diag::note_cuda_ovl_candidate_target_mismatch &&
             Specialization.isValid()) {
    add(Info, Specialization, BothSides);
    add(Info, Info.getLocation(), BothSides);
  }
  if (Silent)
    return;
  DiagnosticConsumer::HandleDiagnostic(Level, Info);
  if (++Seen > Known.Told)
    Printer->HandleDiagnostic(Level, Info);
}

} // namespace

void watchSource(CompilerInstance &Clang, const SourceEdits &Before) {
  DiagnosticsEngine &Diags = Clang.getDiagnostics();
  auto Watching = std::make_unique<Watch>(Diags.takeClient(), Before);
  std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>> Files;
  for (StringRef Name : Before.Places) {
    auto [Path, Number] = Name.rsplit('@');
    char Why = Number.empty() ? 0 : Number.back();
    auto [One, Two] = Number.drop_back().split(',');
    size_t Offset = 0, Second = 0;
    auto &File = Files[Path.str()];
    if (!File)
      if (auto Read = llvm::MemoryBuffer::getFile(Path))
        File = std::move(*Read);
    if (!File || One.getAsInteger(10, Offset) || Two.getAsInteger(10, Second))
      continue;
    if (auto E = editAt(File->getBuffer(), Offset, Second, Why,
                        Clang.getLangOpts().CUDAIsDevice))
      Watching->Applied[Path.str()].insert({E->At, *E});
  }
  for (const auto &[Path, All] : Watching->Applied) {
    std::string Text = Files[Path]->getBuffer().str();
    for (const auto &[At, E] : llvm::reverse(All))
      Text.replace(At, E.Remove, E.Insert);
    Clang.getPreprocessorOpts().addRemappedFile(
        Path, llvm::MemoryBuffer::getMemBufferCopy(Text, Path).release());
  }
  Diags.setClient(Watching.release(), /*ShouldOwnClient=*/true);
}

bool needsEdits(CompilerInstance &Clang, SourceEdits &Next) {
  auto &Watching = static_cast<Watch &>(*Clang.getDiagnostics().getClient());
  if (!Watching.Silent)
    return false;
  bool New = Watching.Known.Places.size() != Next.Places.size();
  Next.Told = std::max(Next.Told, Watching.Seen);
  // Where nothing is new, the last run tells what is wrong with the file as it
  // is.
  Next.Places = New ? Watching.Known.Places : std::vector<std::string>();
  Next.Runs = New ? Next.Runs + 1 : MaxRuns;
  return true;
}

} // namespace echo
