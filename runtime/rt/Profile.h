//===- Profile.h - What was measured on this device -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the device profile that `echo-run doctor --probe` writes, and keeps in
// it which backings lost in a program. A profile that is torn, of another
// version, device or driver is ignored as a whole. No profile is ever made
// here: without one nothing is written.
//
// The file is text: a line "echo-profile 1", "driver NUMBER", "device KEY",
// lines "loop BACKING BYTES NANOSECONDS" (one iteration of: the host writes,
// upload, kernel, download, the host reads), further lines that are not read
// here (those of runtime/abi/CopyTime.h among them), a line "end"; then lines
// "slow BACKING PAIR". Split is the program as written.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_PROFILE_H
#define ECHO_RUNTIME_RT_PROFILE_H

#include "runtime/rt/Support.h"

#include <stddef.h>

namespace echo::rt {

struct Profile {
  static constexpr unsigned MaxSizes = 16;
  struct Size {
    uint64_t Bytes;
    uint64_t Loop[NumBackings]; ///< nanoseconds; 0: not measured
  } Sizes[MaxSizes];
  unsigned NumSizes = 0;
  const char *Lessons = nullptr; ///< the lines after "end", into the text
};

/// Reads \p Text, which must outlive \p P. Returns null, or why it is ignored.
const char *parseProfile(const char *Text, const char *Device, int Driver,
                         Profile &P);

/// The measured size nearest to \p Bytes; null if none was measured.
const Profile::Size *nearestSize(const Profile &P, size_t Bytes);

/// "cc90-sm132-bus6144-discrete": what devices of one kind have in common.
struct DeviceKey {
  char Text[64];
};
bool deviceKey(int Device, DeviceKey &Key);
/// The driver's version, or 0.
int driverVersion();
/// Writes the path of the profile of \p Key; false if there is no place for it.
bool profilePath(const DeviceKey &Key, char *Path, size_t Size);

/// The profile of \p Device, read once in a process; null if there is none.
const Profile *profileOf(int Device);

/// True if the profile of the device that was asked for first says that \p Kind
/// lost for the pair \p Name.
bool lessonSays(const char *Name, Backing Kind);
/// Keeps that \p Kind lost for the pair \p Name, if there is a profile.
void keepLesson(const char *Name, Backing Kind);

} // namespace echo::rt

#endif
