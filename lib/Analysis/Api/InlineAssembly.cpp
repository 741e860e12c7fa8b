//===- InlineAssembly.cpp - What inline assembly may do -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's text has operands as $0, ${1:P}, a number that is unique in each copy
// as ${:uid}, and a dollar sign as $$ (LangRef, "Inline Asm Expressions").
// Statements end at a new line or a semicolon; a comment counts as text.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/InlineAssembly.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

static constexpr StringLiteral Unique = "${:uid}";

static SmallVector<StringRef, 8> statementsOf(StringRef Asm) {
  SmallVector<StringRef, 8> Statements;
  SplitString(Asm, Statements, "\n;");
  return Statements;
}

static bool isOfName(char C) {
  return isAlnum(C) || StringRef("_.$").contains(C);
}

/// The name at the start of \p Text, with the operands that are parts of it.
static StringRef nameAt(StringRef Text) {
  size_t End = 0;
  while (End < Text.size()) {
    if (Text.substr(End).starts_with("${"))
      End = std::min(Text.find('}', End), Text.size() - 1);
    else if (!isOfName(Text[End]) && Text[End] != '@' && Text[End] != '"')
      break;
    ++End;
  }
  return Text.take_front(End);
}

/// Directives that only say where code and data lie.
static bool isLayout(StringRef Directive) {
  static const StringSet<> Known = {".align",      ".balign",   ".p2align",
                                    ".popsection", ".previous", ".pushsection",
                                    ".section",    ".text"};
  return Directive.starts_with(".cfi_") || Known.contains(Directive);
}

/// Directives that put bytes where they stand.
static bool isData(StringRef Directive) {
  static const StringSet<> Data = {".2byte", ".4byte",  ".8byte", ".ascii",
                                   ".asciz", ".byte",   ".fill",  ".hword",
                                   ".int",   ".long",   ".quad",  ".short",
                                   ".skip",  ".string", ".word",  ".zero"};
  return Data.contains(Directive);
}

/// Directives that define no symbol, whatever follows them.
static bool definesNone(StringRef Directive) {
  return isLayout(Directive) || isData(Directive) || Directive == ".inst";
}

bool mayDefineSymbol(StringRef Asm) {
  if (Asm.contains("/*"))
    return true; // a label may follow the comment
  for (StringRef Statement : statementsOf(Asm))
    while (!(Statement = Statement.ltrim()).empty()) {
      const StringRef Name = nameAt(Statement);
      const StringRef Rest = Statement.drop_front(Name.size()).ltrim();
      if (Rest.starts_with("=") || Statement.starts_with("$("))
        return true;
      if (!Rest.starts_with(":")) {
        if (Name.starts_with(".") && !definesNone(Name.lower()))
          return true;
        break;
      }
      if (!Name.contains(Unique) && (Name.empty() || !all_of(Name, isDigit)))
        return true;
      Statement = Rest.drop_front();
    }
  return false;
}

/// True if \p Target, all that follows a jump, is a label of the same text.
static bool isOwnLabel(StringRef Target) {
  Target = Target.trim();
  const StringRef Number = Target.take_while(isDigit);
  const StringRef After = Target.drop_front(Number.size());
  return nameAt(Target).size() == Target.size() &&
         (Target.contains(Unique) ||
          (!Number.empty() && (After == "f" || After == "b")) ||
          (Target.starts_with("${") && Target.ends_with(":l}")));
}

/// Directives that put no bytes into the code. Unknown ones may.
static bool addsNoCode(StringRef Directive) {
  static const StringSet<> OfSymbols = {
      ".data",  ".file", ".global", ".globl", ".hidden",
      ".ident", ".loc",  ".size",   ".type",  ".weak"};
  return isLayout(Directive) || OfSymbols.contains(Directive);
}

/// True if \p Word is an instruction that leaves the text for certain, or may
/// stand for bytes that are any.
static bool leaves(StringRef Word) {
  static constexpr StringRef Starts[] = {"call",  "lcall", "sys",    "ret",
                                         "lret",  "iret",  "xbegin", "vmcall",
                                         "enclu", "blr",   "reta",   "eret"};
  static const StringSet<> Whole = {"int",   "int1", "int3", "into", "hlt",
                                    "uiret", "bl",   "br",   "bra",  "svc",
                                    "hvc",   "smc",  "brk",  "udf"};
  return (Word.starts_with(".") && !addsNoCode(Word)) || Whole.contains(Word) ||
         any_of(Starts, [&](StringRef S) { return Word.starts_with(S); });
}

/// True if \p Word is an instruction that goes where its last operand says.
static bool jumps(StringRef Word) {
  return Word.starts_with("j") || Word.starts_with("ljmp") ||
         Word.starts_with("loop") || Word == "b" || Word.starts_with("b.") ||
         Word.starts_with("cbz") || Word.starts_with("cbnz") ||
         Word.starts_with("tbz") || Word.starts_with("tbnz");
}

/// Calls \p Use with each word of \p Text, and what follows it; not with
/// operands and, on x86, registers.
static void forEachWord(StringRef Text,
                        function_ref<void(StringRef, StringRef)> Use) {
  while (!Text.empty()) {
    if (Text.starts_with("${")) {
      Text = Text.split('}').second;
      continue;
    }
    const bool IsRegister = Text.consume_front("%");
    const StringRef Word = Text.take_while(isOfName);
    Text = Text.drop_front(std::max<size_t>(Word.size(), !IsRegister));
    if (!Word.empty() && !IsRegister)
      Use(Word, Text);
  }
}

bool mayRunElsewhere(StringRef Asm) {
  bool Found = false;
  for (StringRef Statement : statementsOf(Asm))
    forEachWord(Statement, [&](StringRef Word, StringRef Rest) {
      const std::string Lower = Word.lower();
      if (Word.starts_with(".L") && Lower != ".long")
        return; // a label
      Found |= leaves(Lower) ||
               (jumps(Lower) && !isOwnLabel(Rest.rsplit(',').second.empty()
                                                ? Rest
                                                : Rest.rsplit(',').second));
    });
  return Found;
}

/// True if \p Statement says which version of a symbol its name means, as in
/// ".symver memcpy, memcpy@GLIBC_2.2.5": with another name it is an alias.
static bool isOwnVersion(StringRef Statement) {
  if (!Statement.consume_front(".symver"))
    return false;
  auto [Name, Version] = Statement.split(',');
  return !Name.trim().empty() && Version.trim().split('@').first == Name.trim();
}

/// True if \p Line, which begins with ".section", starts data that nobody runs
/// or calls by: its flags say neither code nor writable, and no linker, loader
/// or C library knows its name. Those of tables between __start_ and __stop_
/// have no dot.
static bool startsPlainData(StringRef Line) {
  static constexpr StringRef Known[] = {
      ".bss",  ".ctors", ".data",   ".dtors", ".dyn",  ".eh_frame", ".fini",
      ".gcc",  ".gnu",   ".got",    ".init",  ".jcr",  ".nv",       ".plt",
      ".pre",  ".rela",  ".rodata", ".tdata", ".text", ".tm_clone", ".interp",
      ".llvm", ".rel.",  ".tbss",   ".hash"};
  auto [Name, Rest] = Line.drop_front(StringRef(".section").size()).split(',');
  Name = Name.trim();
  Rest = Rest.ltrim();
  if (!Name.starts_with(".") || !all_of(Name, isOfName) ||
      any_of(Known, [&](StringRef K) { return Name.starts_with(K); }) ||
      !Rest.consume_front("\""))
    return false;
  const auto [Flags, Type] = Rest.split('"');
  return all_of(Flags,
                [](char C) { return StringRef("aGMSeR").contains(C); }) &&
         (Type.ltrim(" \t,").starts_with("@progbits") ||
          Type.ltrim(" \t,").starts_with("%progbits"));
}

/// True if \p Line has the name of what \p M defines.
static bool namesOwn(StringRef Line, const Module &M) {
  bool Own = false;
  forEachSymbolIn(Line, [&](StringRef Word) {
    const GlobalValue *V = M.getNamedValue(Word);
    Own |= V && !V->isDeclaration();
  });
  return Own;
}

/// True if assembly of \p M at file scope may be code, another function's code
/// or its name.
static bool fileScopeRunsElsewhere(const Module &M) {
  SmallVector<StringRef, 16> Lines;
  SplitString(M.getModuleInlineAsm(), Lines, "\n");
  bool PlainData = false;
  for (StringRef Line : Lines) {
    Line = Line.trim();
    // A comment or a string may hide what follows it.
    const bool Simple = Line.find_first_of(";#\\") == StringRef::npos &&
                        !Line.contains("//") && Line.count('"') % 2 == 0;
    const StringRef Directive = nameAt(Line);
    if (Simple && !namesOwn(Line, M)) {
      const bool Starts = Directive == ".section" && startsPlainData(Line);
      if (Starts || (PlainData && isData(Directive.lower()))) {
        PlainData = true;
        continue;
      }
    }
    PlainData = PlainData && Simple && Directive.ends_with("align");
    for (StringRef Statement : statementsOf(Line))
      if (!isOwnVersion(Statement.trim()) &&
          (mayDefineSymbol(Statement) || mayRunElsewhere(Statement)))
        return true;
  }
  return false;
}

bool hasAssemblyThatRunsElsewhere(const Module &M) {
  if (fileScopeRunsElsewhere(M))
    return true;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand());
            Asm && mayRunElsewhere(Asm->getAsmString()))
          return true;
  return false;
}

void forEachSymbolIn(StringRef Asm, function_ref<void(StringRef)> Use) {
  forEachWord(Asm, [&](StringRef Word, StringRef) {
    // "$table" is $$table in LLVM's text.
    Use(Word.ltrim('$'));
  });
}

} // namespace echo
