//===- Profile.cpp - What was measured on this device ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Profile.h. A lesson is one write at the end of the file, so that two
// programs cannot mix theirs; a last line without an end does not count.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Profile.h"
#include "runtime/rt/CudaScope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace echo::rt {

static bool backingNamed(const char *Name, Backing &Kind) {
  for (unsigned I = 0; I != NumBackings; ++I) {
    Kind = static_cast<Backing>(I);
    if (!strcmp(Name, backingName(Kind)))
      return true;
  }
  return false;
}

static bool addLoop(const char *Line, Profile &P) {
  char Name[32];
  unsigned long long Bytes, Time;
  Backing Kind;
  if (sscanf(Line, "loop %31s %llu %llu", Name, &Bytes, &Time) != 3 || !Bytes ||
      !backingNamed(Name, Kind))
    return false;
  unsigned I = 0;
  while (I != P.NumSizes && P.Sizes[I].Bytes != Bytes)
    ++I;
  if (I == Profile::MaxSizes)
    return false;
  if (I == P.NumSizes)
    P.Sizes[P.NumSizes++] = {Bytes, {}};
  P.Sizes[I].Loop[static_cast<unsigned>(Kind)] = Time;
  return true;
}

const char *parseProfile(const char *Text, const char *Device, int Driver,
                         Profile &P) {
  P = Profile();
  unsigned Number = 0;
  for (const char *Line = Text, *End; (End = strchr(Line, '\n'));
       Line = End + 1) {
    char Copy[256];
    size_t Length = static_cast<size_t>(End - Line);
    if (Length >= sizeof Copy)
      return "a line is too long";
    memcpy(Copy, Line, Length);
    Copy[Length] = 0;
    char Expected[96];
    switch (Number++) {
    case 0:
      if (strcmp(Copy, "echo-profile 1"))
        return "it is of another version";
      continue;
    case 1:
      snprintf(Expected, sizeof Expected, "driver %d", Driver);
      if (strcmp(Copy, Expected))
        return "it is of another driver";
      continue;
    case 2:
      snprintf(Expected, sizeof Expected, "device %s", Device);
      if (strcmp(Copy, Expected))
        return "it is of another device";
      continue;
    }
    if (!strcmp(Copy, "end")) {
      P.Lessons = End + 1;
      return nullptr;
    }
    if (!strncmp(Copy, "loop ", 5) && !addLoop(Copy, P))
      return "a line is not understood";
  }
  return "it is not complete";
}

const Profile::Size *nearestSize(const Profile &P, size_t Bytes) {
  const Profile::Size *Best = nullptr;
  double BestRatio = 0;
  for (unsigned I = 0; I != P.NumSizes; ++I) {
    auto A = static_cast<double>(P.Sizes[I].Bytes);
    auto B = static_cast<double>(Bytes);
    double Ratio = A < B ? B / A : A / B;
    if (!Best || Ratio < BestRatio) {
      Best = &P.Sizes[I];
      BestRatio = Ratio;
    }
  }
  return Best;
}

static int attribute(int Number, int Device) {
  int Value = 0;
  return cudaDeviceGetAttribute(&Value, Number, Device) == CudaSuccess ? Value
                                                                       : -1;
}

bool deviceKey(int Device, DeviceKey &Key) {
  ErrorScope Errors;
  int Major = attribute(AttributeMajor, Device);
  if (Major < 0)
    return false;
  snprintf(Key.Text, sizeof Key.Text, "cc%d%d-sm%d-bus%d-%s", Major,
           attribute(AttributeMinor, Device),
           attribute(AttributeMultiprocessors, Device),
           attribute(AttributeBusWidth, Device),
           attribute(AttributeIntegrated, Device) ? "integrated" : "discrete");
  return true;
}

int driverVersion() {
  ErrorScope Errors;
  int Version = 0;
  return cudaDriverGetVersion(&Version) == CudaSuccess ? Version : 0;
}

bool profilePath(const DeviceKey &Key, char *Path, size_t Size) {
  const char *Folder = getenv("ECHO_PROFILE_DIR"), *Below = "";
  if (!Folder || !*Folder) {
    Folder = getenv("XDG_CACHE_HOME");
    Below = "/echo";
  }
  if (!Folder || !*Folder) {
    Folder = getenv("HOME");
    Below = "/.cache/echo";
  }
  if (!Folder || !*Folder)
    return false;
  int Length = snprintf(Path, Size, "%s%s/%s.profile", Folder, Below, Key.Text);
  return Length > 0 && static_cast<size_t>(Length) < Size;
}

static char Path[512]; ///< of the profile that is in force; empty: none
static char *Text;
static Profile InForce;
static pthread_once_t Once = PTHREAD_ONCE_INIT;

/// The file at Path as a string in new memory, or null.
static char *readText() {
  static constexpr size_t Most = size_t(1) << 18;
  FILE *File = fopen(Path, "re");
  if (!File)
    return nullptr;
  auto *Buffer = static_cast<char *>(malloc(Most + 1));
  if (Buffer)
    Buffer[fread(Buffer, 1, Most, File)] = 0;
  fclose(File);
  return Buffer;
}

static void load() {
  int Device = 0;
  DeviceKey Key;
  if (cudaGetDevice(&Device) != CudaSuccess || !deviceKey(Device, Key) ||
      !profilePath(Key, Path, sizeof Path) || !(Text = readText())) {
    Path[0] = 0;
    return;
  }
  const char *Why = parseProfile(Text, Key.Text, driverVersion(), InForce);
  if (!Why)
    return;
  if (options().Verbose)
    say("%s is ignored: %s; write it anew with 'echo-run doctor --probe'", Path,
        Why);
  InForce = Profile();
  Path[0] = 0;
}

const Profile *profileOf(int Device) {
  pthread_once(&Once, load);
  (void)Device; // devices of one machine that differ: the first one's is used
  return Path[0] ? &InForce : nullptr;
}

bool lessonSays(const char *Name, Backing Kind) {
  if (!Name || forkEra() || !profileOf(0) || !InForce.Lessons)
    return false;
  char Wanted[512];
  int Length =
      snprintf(Wanted, sizeof Wanted, "slow %s %s\n", backingName(Kind), Name);
  if (Length <= 0 || static_cast<size_t>(Length) >= sizeof Wanted)
    return false;
  for (const char *At = InForce.Lessons; (At = strstr(At, Wanted)); ++At)
    if (At[-1] == '\n')
      return true;
  return false;
}

void keepLesson(const char *Name, Backing Kind) {
  if (!Name || forkEra() || !profileOf(0))
    return;
  char Line[512];
  int Length =
      snprintf(Line, sizeof Line, "slow %s %s\n", backingName(Kind), Name);
  if (Length <= 0 || static_cast<size_t>(Length) >= sizeof Line)
    return;
  FILE *File = fopen(Path, "ae");
  if (!File)
    return;
  fputs(Line, File); // a lesson that is lost is learnt again
  fclose(File);
}

} // namespace echo::rt
