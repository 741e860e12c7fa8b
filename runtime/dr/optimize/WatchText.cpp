//===- WatchText.cpp - What a watched window showed, in words -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/WatchText.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/Sites.h"
#include "runtime/dr/optimize/PlanMark.h"

#include <stdio.h>
#include <string.h>

namespace echo::dr {

static const char *trapText(Trap What) {
  switch (What) {
#define DR_TRAP(name, number, text)                                            \
  case Trap::name:                                                             \
    return text;
#include "runtime/abi/DrTrace.def"
  case Trap::None:
    break;
  }
  return "it was used";
}

static void describe(const Access &A, char *Out, size_t Room) {
  ModuleInfo Module;
  uint64_t Offset = 0;
  if (A.Code &&
      moduleOf(reinterpret_cast<void *>(A.Code), Module, Offset)) { // NOLINT
    const char *Slash = strrchr(Module.Path, '/');
    snprintf(Out, Room, "%s, at %.128s+%#llx", trapText(A.What),
             Slash ? Slash + 1 : Module.Path,
             static_cast<unsigned long long>(Offset));
  } else {
    snprintf(Out, Room, "%s", trapText(A.What));
  }
}

bool sayUnwatched(const PlanFile &Plan) {
  bool Any = false;
  for (unsigned I = 0; I != Plan.NumPairs; ++I) {
    const PlanPair &P = Plan.Pairs[I];
    if (P.Disabled || !drplan::restsOnValidation(P.Chosen))
      continue;
    if (drplan::watchedByPages(P.Chosen))
      Any = true;
    else
      say("pair %llu is not watched: %s memory cannot be closed to the host "
          "alone",
          static_cast<unsigned long long>(P.Id),
          drplan::ChoiceWords[static_cast<unsigned>(P.Chosen)]);
  }
  return Any;
}

void sayWatched(const PlanPair &P, const Access &A, unsigned Every) {
  char What[256], Why[400];
  describe(A, What, sizeof What);
  snprintf(Why, sizeof Why, "watched in a run with the plan: %s", What);
  const char *Problem = disableInPlan(rememberedPlanFile(), P, Why);
  char Seldom[128] = "each window of this run was watched so far";
  if (!Every)
    snprintf(Seldom, sizeof Seldom,
             "no window is watched, so results of earlier ones may be wrong");
  else if (Every > 1)
    snprintf(Seldom, sizeof Seldom,
             "one window in %u is watched, so results of earlier ones may be "
             "wrong",
             Every);
  say("pair %llu is left from now on, in later runs, too%s%s: %s; %s; %s",
      static_cast<unsigned long long>(P.Id),
      Problem ? ", but not by the plan: " : "", Problem ? Problem : "", What,
      A.Apart ? "here the program got what two buffers give"
              : "what it got here may be wrong",
      Seldom);
}

} // namespace echo::dr
