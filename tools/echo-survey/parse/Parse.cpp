//===- Parse.cpp - Reads one file with Clang ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the command line together, the built-in header before the file, and
// empty headers before a toolkit's. Headers that are not found are noted.
//
//===----------------------------------------------------------------------===//
#include "parse/Parse.h"

#include "facts/Collector.h"
#include "facts/UnknownNames.h"
#include "parse/CudaHeader.h"
#include "parse/Include.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;
using llvm::StringRef;
namespace path = llvm::sys::path;

namespace echo::survey {

namespace {
/// Skips headers that are not found.
class MissingHeaders : public PPCallbacks {
  FileFacts &Facts;

public:
  explicit MissingHeaders(FileFacts &Facts) : Facts(Facts) {}
  bool FileNotFound(StringRef Name) override {
    Facts.MissingHeaders.push_back(Name.str());
    return true;
  }
};

class Consumer : public SemaConsumer {
  const std::string &Root;
  FileFacts &Facts;
  llvm::IntrusiveRefCntPtr<UnknownNames> Unknown =
      llvm::makeIntrusiveRefCnt<UnknownNames>();
  std::optional<Collector> Collect;
  std::vector<Decl *> TopLevel;

public:
  Consumer(const std::string &Root, FileFacts &Facts)
      : Root(Root), Facts(Facts) {}

  void Initialize(ASTContext &Context) override {
    Collect.emplace(Context, Root, Facts);
  }
  void InitializeSema(Sema &S) override {
    S.addExternalSource(Unknown);
    Unknown->InitializeSema(S);
  }
  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      if (Collect->names().isInside(D->getLocation()))
        TopLevel.push_back(D);
    return true;
  }
  bool shouldSkipFunctionBody(Decl *D) override {
    const FunctionDecl *F = D->getAsFunction();
    if (!F)
      return false;
    const bool OfDevice =
        F->hasAttr<CUDAGlobalAttr>() ||
        (F->hasAttr<CUDADeviceAttr>() && !F->hasAttr<CUDAHostAttr>());
    return OfDevice || !Collect->names().isInside(F->getLocation());
  }
  void HandleTranslationUnit(ASTContext &) override { Collect->run(TopLevel); }
};

class Action : public ASTFrontendAction {
  const std::string &Root;
  FileFacts &Facts;

public:
  Action(const std::string &Root, FileFacts &Facts)
      : Root(Root), Facts(Facts) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    CI.getFrontendOpts().SkipFunctionBodies = true;
    CI.getPreprocessor().addPPCallbacks(
        std::make_unique<MissingHeaders>(Facts));
    return std::make_unique<Consumer>(Root, Facts);
  }
};
} // namespace

/// "-x" of \p File: C stays C, since C++ refuses much of it.
static const char *languageOf(StringRef File) {
  const StringRef Ending = path::extension(File);
  return Ending == ".c" ? "c" : Ending == ".cu" ? "cuda" : "c++";
}

static std::vector<std::string> commandOf(const Source &From,
                                          const std::string &Clang) {
  const StringRef Language = languageOf(From.Path);
  std::vector<std::string> Words = {Clang,
                                    "-fsyntax-only",
                                    "-w",
                                    "-ferror-limit=0",
                                    "-fno-spell-checking",
                                    "-ftemplate-depth=256",
                                    "-fbracket-depth=1024",
                                    "-include",
                                    CudaHeaderPath,
                                    std::string("-I") + EmptyHeaderFolder};
  const auto IsStandard = [](StringRef Flag) {
    return Flag.starts_with("-std=");
  };
  Words.insert(Words.end(), From.Flags.begin(), From.Flags.end());
  if (llvm::none_of(From.Flags, IsStandard))
    Words.push_back(Language == "c" ? "-std=gnu17" : "-std=gnu++17");
  addFolders(From, Words);
  if (Language == "cuda")
    Words.insert(Words.end(), {"--cuda-host-only", "-nocudainc", "-nocudalib"});
  Words.insert(Words.end(), {"-x", Language.str(), From.Path});
  return Words;
}

FileFacts parse(const Source &From, const std::string &Clang) {
  FileFacts Facts;
  Facts.File = StringRef(From.Path).drop_front(From.Root.size()).str();
  auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  const std::string Header = cudaHeader();
  Memory->addFile(CudaHeaderPath, 0,
                  llvm::MemoryBuffer::getMemBuffer(Header, CudaHeaderPath));
  for (const std::string &Name : emptyHeaders())
    Memory->addFile(std::string(EmptyHeaderFolder) + "/" + Name, 0,
                    llvm::MemoryBuffer::getMemBuffer("", Name));
  auto Both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::vfs::createPhysicalFileSystem());
  Both->pushOverlay(Memory);
  (void)Both->setCurrentWorkingDirectory(From.Folder);
  auto Files =
      llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), Both);
  clang::DiagnosticConsumer Errors; // counts, and shows nothing
  tooling::ToolInvocation Invocation(commandOf(From, Clang),
                                     std::make_unique<Action>(From.Root, Facts),
                                     Files.get());
  Invocation.setDiagnosticConsumer(&Errors);
  Invocation.run();
  Facts.Errors = Errors.getNumErrors();
  return Facts;
}

} // namespace echo::survey
