//===- PlanFile.h - The plan that this process follows ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what echo-run wrote (runtime/abi/DrPlan.def), without the C++ library
// and without malloc, since it may run inside of the program's first malloc.
// The checksum comes first: a text that passes it is the one echo-run wrote, so
// keys are looked up by name and what is not needed here is skipped. A file
// that cannot be read in full is refused as a whole, with the reason.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_PLANFILE_H
#define ECHO_RUNTIME_DR_PLANFILE_H

#include "runtime/abi/DrPlan.h"

namespace echo::dr {

inline constexpr unsigned MaxPlanPairs = 256;
inline constexpr unsigned MaxPlanCopies = 16;

struct PlanCopy {
  uint64_t Site = 0;
  bool ToDevice = false;
  drplan::Wait Needed = drplan::Wait::Order;
};

struct PlanPair {
  uint64_t Id = 0, HostSite = 0, DeviceSite = 0, Bytes = 0, DeviceBytes = 0;
  bool HostMayChange = false;
  bool Disabled = true;
  size_t NullAt = 0; ///< where the text has the null of "disabled"; 0: nowhere
  bool Validated = false;
  uint8_t Joins = 0; ///< those that validation saw: drplan::joinBit
  drplan::Choice Chosen = drplan::Choice::Leave;
  unsigned NumCopies = 0;
  PlanCopy Copies[MaxPlanCopies];
};

/// An environment variable of a process: hashes of its name and its value; 0:
/// it is not set.
struct PlanVariable {
  uint64_t Name = 0, Value = 0;
};

/// What a process began with that was validated.
struct PlanProcess {
  uint64_t Arguments = 0, Folder = 0, Input = 0, Inherited = 0, Limits = 0;
  bool AllVariables = false;
  unsigned FirstVariable = 0, NumVariables = 0; ///< in PlanFile::Variables
};

struct PlanFile {
  bool Enabled = false, Portable = false;
  uint64_t ExecutableHash = 0, Interposer = 0, Runtime = 0, Driver = 0;
  uint64_t Machine = 0; ///< 0: the host's name decides
  char Host[64] = {}, Device[128] = {}, VisibleDevices[256] = {};
  char Uuid[40] = {};      ///< empty: the device has none
  unsigned NumModules = 0; ///< 0: any may be loaded
  uint64_t Modules[drplan::MostModules] = {};
  /// When echo-run began to compare files with the plan's, in ns since 1970; 0:
  /// nobody asks. To be set before the plan is read.
  uint64_t Compared = 0;
  char Changed[256] = {};    ///< a file that was changed since; empty: none
  bool NoInput = false;      ///< nothing came on the command's standard input
  bool ForProcesses = false; ///< false: any; echo-run takes no such plan
  unsigned NumProcesses = 0, NumVariables = 0;
  PlanProcess Processes[drplan::MostProcesses];
  PlanVariable Variables[drplan::MostProcessVariables];
  unsigned NumPairs = 0;
  PlanPair Pairs[MaxPlanPairs];
};

/// Reads \p Text, \p Size bytes, into \p Out. Null if that is a plan; else why
/// not, and \p Out is not to be used.
const char *parsePlan(const char *Text, size_t Size, PlanFile &Out);

/// Reads the file at \p Path. Asks of its files if \p Compared is not 0. Null
/// and \p Why if it is none. The plan stays for the life of the process.
const PlanFile *readPlan(const char *Path, const char *&Why,
                         uint64_t Compared = 0);

} // namespace echo::dr

#endif
