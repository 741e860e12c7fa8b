//===- RemarksTest.cpp - Verdicts as optimization remarks -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where remarks stand, of which kind they are, and what they say.
//
//===----------------------------------------------------------------------===//
#include "Report/Report.h"
#include "ReportExample.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <catch2/catch.hpp>

using namespace echo;

static const char *const Source = R"(
declare ptr @malloc(i64)
define ptr @other() !dbg !20 {
  %p = call ptr @malloc(i64 1), !dbg !21
  ret ptr %p, !dbg !21
}
define ptr @main() !dbg !10 {
  %p = call ptr @malloc(i64 4194304), !dbg !11
  %q = call ptr @malloc(i64 4194304), !dbg !12
  ret ptr %p, !dbg !13
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2)
!2 = !DIFile(filename: "app.cu", directory: "/src")
!3 = !DISubroutineType(types: !4)
!4 = !{null}
!10 = distinct !DISubprogram(name: "main", file: !2, line: 10, type: !3, unit: !1)
!11 = !DILocation(line: 12, column: 20, scope: !10)
!12 = !DILocation(line: 3, column: 1, scope: !20, inlinedAt: !14)
!13 = !DILocation(line: 99, column: 1, scope: !10)
!14 = distinct !DILocation(line: 40, column: 14, scope: !10)
!20 = distinct !DISubprogram(name: "other", file: !2, line: 2, type: !3, unit: !1)
!21 = !DILocation(line: 3, column: 1, scope: !20)
)";

namespace {
struct Seen {
  bool Passed;
  std::string Name, Text, Function;
  unsigned Line;
};

struct Collector : llvm::DiagnosticHandler {
  std::vector<Seen> &Remarks;
  explicit Collector(std::vector<Seen> &Remarks) : Remarks(Remarks) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &DI) override {
    auto &R = llvm::cast<llvm::DiagnosticInfoOptimizationBase>(DI);
    CHECK(R.getPassName() == "echo");
    unsigned Line = R.isLocationAvailable() ? R.getLocation().getLine() : 0;
    Remarks.push_back({R.isPassed(), R.getRemarkName().str(), R.getMsg(),
                       R.getFunction().getName().str(), Line});
    return true;
  }
  bool isAnyRemarkEnabled() const override { return true; }
  bool isPassedOptRemarkEnabled(llvm::StringRef) const override { return true; }
  bool isMissedOptRemarkEnabled(llvm::StringRef) const override { return true; }
};
} // namespace

static std::vector<Seen> remarks(const UnitReport &Unit) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Error;
  auto M = llvm::parseAssemblyString(Source, Error, Context);
  INFO(Error.getMessage().str());
  REQUIRE(M);
  std::vector<Seen> Found;
  Context.setDiagnosticHandler(std::make_unique<Collector>(Found));
  emitRemarks(*M, Unit);
  return Found;
}

TEST_CASE("remarks stand at the host allocation") {
  auto Found = remarks(exampleUnit());
  REQUIRE(Found.size() == 4);
  CHECK(Found[0].Passed);
  CHECK(Found[0].Name == "unified");
  CHECK(Found[0].Line == 12);
  CHECK(Found[0].Function == "main");
  CHECK(Found[0].Text == "'hx' and 'dx' are one buffer: 2 copies removed (20:3 "
                         "H2D, 24:3 D2H), 1 wait kept at 24:3");
  CHECK(Found[1].Passed);
  CHECK(Found[3].Name == "too-small");
  CHECK_FALSE(Found[3].Passed);
}

TEST_CASE("a place is found through inlining") {
  auto Found = remarks(exampleUnit());
  CHECK_FALSE(Found[2].Passed);
  CHECK(Found[2].Name == "host-read-in-flight");
  CHECK(Found[2].Line == 40);
  CHECK(Found[2].Text.find("S2 host-read-in-flight") != std::string::npos);
  CHECK(Found[2].Text.find("host reads h at 51:9") != std::string::npos);
  CHECK(Found[2].Text.find("try: cudaStreamSynchronize(s)") !=
        std::string::npos);
}

TEST_CASE("an unknown place falls back to the function") {
  UnitReport Unit;
  Unit.Pairs = {guardedPair()};
  auto Found = remarks(Unit);
  REQUIRE(Found.size() == 1);
  CHECK(Found[0].Function == "main");
  CHECK(Found[0].Text.rfind("app.cu:13:20: ", 0) == 0);
}
