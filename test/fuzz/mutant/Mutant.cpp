//===- Mutant.cpp - echo-cc with a check turned off (tests only) ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked with echo-cc's own objects, this makes echo-cc-mutant, which builds
// wrong programs on purpose: before main it turns off the checks that the
// environment variable ECHO_TEST_WITHOUT names, separated by commas. "list"
// prints all checks, one a line: id, condition and text, separated by tabs.
// With ECHO_TEST_STAGES its compilations print what each condition alone says
// of each pair (AnalysisPrinter.h).
//
//===----------------------------------------------------------------------===//
#include "Pipeline/AnalysisPrinter.h"
#include "Support/Checks.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdio>
#include <cstdlib>

using namespace llvm;

static constexpr const char *Variable = "ECHO_TEST_WITHOUT";
/// The same for the jobs that the compiler starts. It refuses a variable
/// ECHO_* that it does not know, and this one it must not know.
static constexpr const char *ForJobs = "MUTANT_WITHOUT";
static constexpr const char *Stages = "ECHO_TEST_STAGES";
static constexpr const char *StagesForJobs = "MUTANT_STAGES";

static void listChecks() {
  for (const echo::CheckInfo &Info : echo::allChecks())
    printf("%s\t%s\t%s\n", Info.Id, Info.Condition, Info.Text);
  exit(fflush(stdout) ? 1 : 0);
}

static void passOn(const char *Asked, const char *Name) {
  if (const char *Value = getenv(Asked)) {
    setenv(Name, Value, /*overwrite=*/1);
    unsetenv(Asked);
  }
}

__attribute__((constructor)) static void setUp() {
  passOn(Variable, ForJobs);
  passOn(Stages, StagesForJobs);
  if (getenv(StagesForJobs))
    echo::reportConditionsForTest();
  StringRef Without = getenv(ForJobs) ? getenv(ForJobs) : "";
  if (Without == "list")
    listChecks();
  SmallVector<StringRef> Ids;
  Without.split(Ids, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Id : Ids) {
    auto C = echo::findCheck(Id);
    if (!C) {
      fprintf(stderr, "echo-cc-mutant: error: no check is called '%.*s'\n",
              static_cast<int>(Id.size()), Id.data());
      _Exit(2);
    }
    echo::turnOffForTest(*C);
  }
}
