//===- Specializations.cpp - Templates and specializations for two sides --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's error names the specialization, a note behind it the template. From
// that error on nothing is printed, as the next run tells again what is still
// wrong then, and leaves out what this one has told. The attributes go behind
// the last `template <...>` before the name.
//
//===----------------------------------------------------------------------===//
#include "Specializations.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

using namespace clang;
using llvm::StringRef;

namespace echo {
namespace {

/// More runs than that find nothing new.
constexpr unsigned MaxRuns = 6;

/// Inserted text by its place in the file as it is.
using Edits = std::map<size_t, std::string>;

class Watch : public DiagnosticConsumer {
public:
  Watch(std::unique_ptr<DiagnosticConsumer> Printer, TwoSided Before)
      : Printer(std::move(Printer)), Known(std::move(Before)) {}

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
  TwoSided Known;
  bool Silent = false; ///< a mismatch was seen
  unsigned Seen = 0;   ///< diagnostics before it

private:
  void add(const Diagnostic &Info, SourceLocation Loc);

  std::unique_ptr<DiagnosticConsumer> Printer;
  SourceLocation Specialization;
};

/// What to insert where, so that the function whose name is at \p Name in
/// \p Text is for both sides. Nothing: its declaration is not understood.
std::optional<std::pair<size_t, std::string>> edit(StringRef Text, size_t Name,
                                                   bool OnDevice) {
  LangOptions Lang;
  Lang.CPlusPlus = true;
  Lexer L(SourceLocation(), Lang, Text.begin(), Text.begin(), Text.end());
  std::optional<size_t> Behind;
  bool Special = false, Empty = false;
  llvm::StringSet<> Words;
  int Depth = -1, Parens = 0; // -1: in no list of template parameters
  for (Token Tok;;) {
    bool Ended = L.LexFromRawLexer(Tok);
    size_t End = L.getBufferLocation() - Text.begin();
    if (Ended || End > Name)
      break;
    if (Depth < 0) {
      if (Tok.isOneOf(tok::semi, tok::l_brace, tok::r_brace))
        Behind.reset();
      if (!Tok.is(tok::raw_identifier))
        continue;
      if (Tok.getRawIdentifier() == "template")
        Depth = Parens = 0;
      else
        Words.insert(Tok.getRawIdentifier());
      continue;
    }
    if (Tok.is(tok::l_paren))
      ++Parens;
    else if (Tok.is(tok::r_paren))
      --Parens;
    if (Parens)
      continue;
    if (Tok.is(tok::less)) {
      Empty = Depth++ == 0;
      continue;
    }
    if (Tok.is(tok::greater))
      --Depth;
    else if (Tok.is(tok::greatergreater))
      Depth -= 2;
    else if (Depth > 0)
      Empty = false;
    if (Depth > 0)
      continue;
    Behind = End;
    Special = Empty;
    Words.clear();
    Depth = -1;
  }
  if (!Behind)
    return std::nullopt;
  std::string Insert = " __attribute__((host)) __attribute__((device)) ";
  // As written, and as preprocessed.
  bool ForDevice = Words.contains("__device__") || Words.contains("device");
  bool ForHost =
      Words.contains("__host__") || Words.contains("host") || !ForDevice;
  if (Special && !(OnDevice ? ForDevice : ForHost) && !Words.contains("inline"))
    Insert += "inline ";
  return std::pair(*Behind, Insert);
}

void Watch::add(const Diagnostic &Info, SourceLocation Loc) {
  const SourceManager &SM = Info.getSourceManager();
  auto [File, Offset] = SM.getDecomposedLoc(Loc);
  OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
  if (Loc.isMacroID() || !Entry)
    return;
  std::string Path = Entry->getName().str();
  size_t Place = Offset, Inserted = 0;
  for (const auto &[At, Text] : Applied[Path])
    if (At + Inserted < Place)
      Inserted += Text.size();
  std::string Name = Path + "@" + std::to_string(Place - Inserted);
  if (!llvm::is_contained(Known.Names, Name))
    Known.Names.push_back(Name);
}

void Watch::HandleDiagnostic(DiagnosticsEngine::Level Level,
                             const Diagnostic &Info) {
  bool MoreRuns = Known.Runs + 1 < MaxRuns;
  if (MoreRuns && Info.getID() == diag::err_function_template_spec_no_match) {
    Specialization = Info.getLocation();
    Silent = true;
  } else if (Silent &&
             Info.getID() == diag::note_cuda_ovl_candidate_target_mismatch &&
             Specialization.isValid()) {
    add(Info, Specialization);
    add(Info, Info.getLocation());
  }
  if (Silent)
    return;
  DiagnosticConsumer::HandleDiagnostic(Level, Info);
  if (++Seen > Known.Told)
    Printer->HandleDiagnostic(Level, Info);
}

} // namespace

void watchSpecializations(CompilerInstance &Clang, const TwoSided &Before) {
  DiagnosticsEngine &Diags = Clang.getDiagnostics();
  auto Watching = std::make_unique<Watch>(Diags.takeClient(), Before);
  std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>> Files;
  for (StringRef Name : Before.Names) {
    auto [Path, Number] = Name.rsplit('@');
    size_t Offset = 0;
    auto &File = Files[Path.str()];
    if (!File)
      if (auto Read = llvm::MemoryBuffer::getFile(Path))
        File = std::move(*Read);
    if (!File || Number.getAsInteger(10, Offset))
      continue;
    if (auto E =
            edit(File->getBuffer(), Offset, Clang.getLangOpts().CUDAIsDevice))
      Watching->Applied[Path.str()].insert(*E);
  }
  for (const auto &[Path, Inserted] : Watching->Applied) {
    std::string Text = Files[Path]->getBuffer().str();
    for (const auto &[At, Insert] : llvm::reverse(Inserted))
      Text.insert(At, Insert);
    Clang.getPreprocessorOpts().addRemappedFile(
        Path, llvm::MemoryBuffer::getMemBufferCopy(Text, Path).release());
  }
  Diags.setClient(Watching.release(), /*ShouldOwnClient=*/true);
}

bool foundSpecializations(CompilerInstance &Clang, TwoSided &Next) {
  auto &Watching = static_cast<Watch &>(*Clang.getDiagnostics().getClient());
  if (!Watching.Silent)
    return false;
  bool New = Watching.Known.Names.size() != Next.Names.size();
  Next.Told = std::max(Next.Told, Watching.Seen);
  // Where nothing is new, the last run tells what is wrong with the file as it
  // is.
  Next.Names = New ? Watching.Known.Names : std::vector<std::string>();
  Next.Runs = New ? Next.Runs + 1 : MaxRuns;
  return true;
}

} // namespace echo
