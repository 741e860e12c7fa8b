//===- SourceIndex.h - Statements and calls as they are written -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds in Clang's AST what a report names by line and column, and where the
// statements of the main file begin and end in its text. What stands in other
// files, in lambdas or in the bodies of macros is not found: no remedy changes
// it.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_SOURCEINDEX_H
#define ECHO_CC_SUGGEST_SOURCEINDEX_H

#include "Analysis/Api/CudaApi.h"
#include "Proposal.h"
#include "Support/Verdict.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include <deque>
#include <map>

namespace echo::suggest {

/// Bytes of the main file.
struct Range {
  unsigned Begin = 0, End = 0;
  bool holds(const Range &R) const { return Begin <= R.Begin && R.End <= End; }
};

/// Parts of the main file by where they begin, and the new text of each.
using NewParts = std::map<unsigned, std::pair<Range, std::string>>;

/// A statement of a block, with its semicolon.
struct Statement : Range {
  const clang::Stmt *Node = nullptr;
  const clang::CompoundStmt *Block = nullptr;
  const Statement *Around = nullptr; ///< whose part the block is
  const clang::FunctionDecl *Function = nullptr;

  /// True for a loop; `do { ... } while (0)` is none.
  bool isLoop() const;
  /// True if \p Other stands in this one's block, or in a part of it.
  bool sharesBlockWith(const Statement &Other) const;
};

/// A call of the CUDA runtime that is a statement, alone or in a call or macro
/// that checks its result.
struct CudaCall {
  const clang::CallExpr *Call = nullptr;
  ApiInfo Api;
  const Statement *In = nullptr;

  /// The argument with role \p R, or null.
  const clang::Expr *argument(ApiRole R) const;
};

/// The text of a call and of the test of its result.
struct WholeCall : Range {
  /// Where that begins which can stand twice: a declared variable is not
  /// declared again.
  unsigned Again = 0;
};

class SourceIndex {
public:
  explicit SourceIndex(clang::ASTContext &Context);

  clang::ASTContext &context() const { return Context; }
  llvm::StringRef file() const { return File; }
  llvm::StringRef text() const { return Text; }
  llvm::StringRef text(Range R) const { return Text.slice(R.Begin, R.End); }

  /// Where \p Place is in the main file; nothing: in another one.
  std::optional<unsigned> offset(const SourcePlace &Place) const;
  /// The innermost statement with the byte at \p Place, or null.
  const Statement *statementAt(const SourcePlace &Place) const;
  /// The only call at \p Place of a function of \p Kind, or null: none, or one
  /// whose statement does more.
  const CudaCall *callAt(const SourceLoc &Place, ApiKind Kind) const;
  /// The only call at \p Place of a function of \p Kind, whatever else its
  /// statement does and from where its function is called; or null.
  const CudaCall *writtenAt(const SourcePlace &Place, ApiKind Kind) const;
  /// The text that is \p Call and the test of its result, where its statement,
  /// or that and the next one, do nothing else.
  std::optional<WholeCall> wholeOf(const CudaCall &Call) const;
  /// True if there is such a text.
  bool isWhole(const CudaCall &Call) const;
  /// True if the unit's work may run in several streams: one that it names, one
  /// of each thread, or one of each device.
  bool hasStreams() const { return Streams; }
  /// All calls of CUDA's functions in statements of the main file.
  std::vector<const CudaCall *> calls() const;
  /// Those in \p F, and those of \p Kind there.
  std::vector<const CudaCall *> callsIn(const clang::FunctionDecl *F) const;
  std::vector<const CudaCall *> callsIn(const clang::FunctionDecl *F,
                                        ApiKind Kind) const;
  /// All statements of blocks of the main file, outer ones first.
  std::vector<const Statement *> statements() const;
  /// Statements of \p Block, in order.
  std::vector<const Statement *>
  statementsOf(const clang::CompoundStmt *Block) const;
  /// True if a wait for the device follows \p Call and its test at once, or
  /// after copies of the default stream alone.
  bool waitsAfter(const CudaCall &Call) const;
  /// The text of \p R; nothing: parts of it come from a macro's body.
  std::optional<Range> rangeOf(clang::SourceRange R) const;
  /// The blanks at the beginning of the line of byte \p At.
  std::string indent(unsigned At) const;
  /// Where a new line after \p S begins: after the comments that end the line
  /// of \p S, or right after \p S where code follows there.
  unsigned after(const Range &S) const;
  /// True if nothing but blanks follows byte \p At in its line.
  bool endsLine(unsigned At) const;
  /// Gives new lines of \p E the line end that the file has there.
  void useLineEnds(Edit &E) const;
  /// The number of the line with byte \p At.
  unsigned line(unsigned At) const;
  /// Takes \p S out, with its line where it stands alone.
  Edit removal(const Range &S) const;
  /// True if \p Name is no word of \p In.
  bool isFree(llvm::StringRef Name, Range In) const;
  /// The text of \p S with other text in some of its parts.
  std::string rewritten(const Range &S, const NewParts &Parts) const;

private:
  friend class IndexBuilder;

  clang::ASTContext &Context;
  std::string File;
  llvm::StringRef Text;
  std::deque<Statement> Statements; ///< outer ones first
  std::deque<CudaCall> Calls;
  bool Streams = false;
};

} // namespace echo::suggest

#endif
