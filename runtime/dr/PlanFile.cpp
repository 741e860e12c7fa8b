//===- PlanFile.cpp - The plan that this process follows ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reader of JSON that walks the text once. Every function leaves the cursor
// after what it read, or marks the text as bad, after which all of them do
// nothing. Of a key that comes twice the last one counts, as for echo-run.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/PlanFile.h"
#include "runtime/abi/FileHash.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace echo::dr {

namespace {

class Reader {
public:
  Reader(const char *Text, size_t Size)
      : Begin(Text), At(Text), End(Text + Size) {}

  /// Where in the text the next value begins.
  size_t here() {
    space();
    return static_cast<size_t>(At - Begin);
  }

  bool bad() const { return Bad; }
  void fail() { Bad = true; }

  /// Calls \p Each(Key) for every key of an object; it must read the value.
  template <class F> void object(F Each) {
    char Key[40];
    take('{');
    for (bool First = true; !Bad && !ends('}'); First = false) {
      if (!First)
        take(',');
      text(Key, sizeof Key);
      take(':');
      if (!Bad)
        Each(static_cast<const char *>(Key));
    }
  }

  /// Calls \p Each() for every element of an array; it must read it.
  template <class F> void array(F Each) {
    take('[');
    for (bool First = true; !Bad && !ends(']'); First = false) {
      if (!First)
        take(',');
      if (!Bad)
        Each();
    }
  }

  /// A string of less than \p Room bytes. Only ASCII may be escaped.
  void text(char *Out, size_t Room) {
    size_t N = 0;
    take('"');
    while (!Bad && At != End && *At != '"') {
      char C = *At++;
      if (C == '\\')
        C = escaped();
      if (N + 1 < Room)
        Out[N++] = C;
      else
        Bad = true;
    }
    take('"');
    Out[N] = 0;
  }

  /// The same of what may be longer, or hold other characters: false, and it is
  /// passed over.
  bool asText(char *Out, size_t Room) {
    const char *Start = At;
    if (Bad)
      return false;
    text(Out, Room);
    if (!Bad)
      return true;
    Bad = false;
    At = Start;
    skip();
    return false;
  }

  uint64_t number() {
    space();
    uint64_t Value = 0;
    const char *Start = At;
    while (At != End && *At >= '0' && *At <= '9' && Value < (1ull << 54))
      Value = Value * 10 + static_cast<uint64_t>(*At++ - '0');
    Bad |= At == Start || Value > 1ull << 53;
    return Value;
  }

  uint64_t hex() {
    char Digits[17];
    char *Rest = nullptr;
    text(Digits, sizeof Digits);
    const uint64_t Value = Bad ? 0 : strtoull(Digits, &Rest, 16);
    Bad |= Bad || Rest != Digits + 16;
    return Value;
  }

  bool flag() {
    if (word("true"))
      return true;
    Bad |= !word("false");
    return false;
  }

  /// One of \p Words, as its number.
  template <size_t N> unsigned oneOf(const char *const (&Words)[N]) {
    char Word[24];
    text(Word, sizeof Word);
    for (unsigned I = 0; I != N; ++I)
      if (!Bad && !strcmp(Word, Words[I]))
        return I;
    Bad = true;
    return 0;
  }

  bool word(const char *Word) {
    space();
    const size_t N = strlen(Word);
    if (static_cast<size_t>(End - At) < N || memcmp(At, Word, N) != 0)
      return false;
    At += N;
    return true;
  }

  /// Passes over a value of any kind, nested at most \p Depth deep.
  void skip(unsigned Depth = 8) {
    space();
    if (Bad || At == End || !Depth) {
      Bad = true;
    } else if (*At == '{') {
      object([&](const char *) { skip(Depth - 1); });
    } else if (*At == '[') {
      array([&] { skip(Depth - 1); });
    } else if (*At == '"') {
      for (++At; At != End && *At != '"'; ++At)
        if (*At == '\\') {
          ++At;
          if (At == End)
            break;
        }
      take('"');
    } else {
      const char *Start = At;
      while (At != End && !strchr(",]} \n\t\r", *At))
        ++At;
      Bad |= At == Start;
    }
  }

private:
  void space() {
    while (At != End &&
           (*At == ' ' || *At == '\n' || *At == '\t' || *At == '\r'))
      ++At;
  }
  void take(char C) {
    if (C != '"' || (At != End && *At != '"'))
      space();
    if (At == End || *At != C)
      Bad = true;
    else
      ++At;
  }
  bool ends(char C) {
    space();
    if (At == End || *At != C)
      return false;
    ++At;
    return true;
  }
  char escaped() {
    if (At == End) {
      Bad = true;
      return 0;
    }
    switch (const char C = *At++) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case '"':
    case '\\':
    case '/':
      return C;
    case 'u': {
      unsigned Value = 0;
      for (int I = 0; I != 4; ++I) {
        const char D = At != End ? *At++ : 0;
        const unsigned V = D >= '0' && D <= '9' ? static_cast<unsigned>(D - '0')
                           : D >= 'a' && D <= 'f'
                               ? static_cast<unsigned>(D - 'a' + 10)
                               : 16;
        Bad |= V == 16;
        Value = Value * 16 + V;
      }
      Bad |= Value == 0 || Value > 0x7f;
      return static_cast<char>(Value);
    }
    default:
      Bad = true;
      return 0;
    }
  }

  const char *Begin, *At, *End;
  bool Bad = false;
};

bool is(const char *Key, const char *Name) { return !strcmp(Key, Name); }

constexpr const char *Directions[] = {"D2H", "H2D"};

void readCopy(Reader &R, PlanCopy &C) {
  R.object([&](const char *Key) {
    if (is(Key, "site"))
      C.Site = R.hex();
    else if (is(Key, "direction"))
      C.ToDevice = R.oneOf(Directions);
    else if (is(Key, "wait"))
      C.Needed = static_cast<drplan::Wait>(R.oneOf(drplan::WaitWords));
    else
      R.skip();
  });
}

void readPair(Reader &R, PlanPair &P) {
  R.object([&](const char *Key) {
    if (is(Key, "id"))
      P.Id = R.number();
    else if (is(Key, "host_site"))
      P.HostSite = R.hex();
    else if (is(Key, "device_site"))
      P.DeviceSite = R.hex();
    else if (is(Key, "bytes"))
      P.Bytes = R.number();
    else if (is(Key, "device_bytes"))
      P.DeviceBytes = R.number();
    else if (is(Key, "host_may_change"))
      P.HostMayChange = R.flag();
    else if (is(Key, "choice"))
      P.Chosen = static_cast<drplan::Choice>(R.oneOf(drplan::ChoiceWords));
    else if (is(Key, "validated"))
      P.Validated = R.flag();
    else if (is(Key, "joins"))
      R.array([&] {
        P.Joins |= static_cast<uint8_t>(1u << R.oneOf(drplan::JoinWords));
      });
    else if (is(Key, "disabled")) {
      P.NullAt = R.here();
      P.Disabled = !R.word("null");
      P.NullAt = P.Disabled ? 0 : P.NullAt;
      if (P.Disabled)
        R.skip();
    } else if (is(Key, "copies")) {
      P.NumCopies = 0;
      R.array([&] {
        if (P.NumCopies == MaxPlanCopies)
          R.fail();
        else
          readCopy(R, P.Copies[P.NumCopies++]);
      });
    } else
      R.skip();
  });
}

void readVariable(Reader &R, PlanVariable &V) {
  char Name[320];
  R.object([&](const char *Key) {
    if (is(Key, "name")) {
      R.text(Name, sizeof Name);
      V.Name = fnv1a(Name, strlen(Name));
    } else if (is(Key, "hash"))
      V.Value = R.hex();
    else
      R.skip();
  });
}

void readProcess(Reader &R, PlanFile &Out) {
  if (Out.NumProcesses == drplan::MostProcesses)
    return R.fail();
  PlanProcess &P = Out.Processes[Out.NumProcesses++];
  P.FirstVariable = Out.NumVariables;
  R.object([&](const char *Key) {
    if (is(Key, "arguments"))
      P.Arguments = R.hex();
    else if (is(Key, "folder"))
      P.Folder = R.hex();
    else if (is(Key, "input"))
      P.Input = R.hex();
    else if (is(Key, "inherited"))
      P.Inherited = R.hex();
    else if (is(Key, "limits"))
      P.Limits = R.hex();
    else if (is(Key, "all_variables"))
      P.AllVariables = R.flag();
    else if (is(Key, "variables")) {
      Out.NumVariables = P.FirstVariable;
      P.NumVariables = 0;
      R.array([&] {
        if (Out.NumVariables == drplan::MostProcessVariables)
          return R.fail();
        readVariable(R, Out.Variables[Out.NumVariables++]);
        ++P.NumVariables;
      });
    } else
      R.skip();
  });
}

/// Notes the file at \p Path where it is another one than when echo-run looked:
/// a launcher may have written it since. A folder changes with any file in it.
void noteFile(PlanFile &Out, const char *Path, bool WasThere) {
  struct stat S;
  if (Out.Changed[0])
    return;
  const bool IsThere = syscall(SYS_newfstatat, AT_FDCWD, Path, &S, 0) == 0;
  const bool IsLater =
      IsThere && !S_ISDIR(S.st_mode) && nanoseconds(S.st_ctim) > Out.Compared;
  if (IsThere != WasThere || IsLater)
    snprintf(Out.Changed, sizeof Out.Changed, "%s", Path);
}

void readFile(Reader &R, PlanFile &Out) {
  char Path[4096] = "";
  uint64_t Hash = 0;
  bool HasPath = false;
  R.object([&](const char *Key) {
    if (is(Key, "path"))
      HasPath = R.asText(Path, sizeof Path);
    else if (is(Key, "hash"))
      Hash = R.hex();
    else
      R.skip();
  });
  if (HasPath && Out.Compared && !R.bad())
    noteFile(Out, Path, Hash != 0);
}

void readContext(Reader &R, PlanFile &Out) {
  Out.NumModules = 0;
  R.object([&](const char *Key) {
    if (is(Key, "executable"))
      R.object([&](const char *Inner) {
        if (is(Inner, "hash"))
          Out.ExecutableHash = R.hex();
        else
          R.skip();
      });
    else if (is(Key, "interposer"))
      Out.Interposer = R.hex();
    else if (is(Key, "host"))
      R.text(Out.Host, sizeof Out.Host);
    else if (is(Key, "machine"))
      Out.Machine = R.hex();
    else if (is(Key, "uuid"))
      R.text(Out.Uuid, sizeof Out.Uuid);
    else if (is(Key, "device"))
      R.text(Out.Device, sizeof Out.Device);
    else if (is(Key, "runtime"))
      Out.Runtime = R.number();
    else if (is(Key, "driver"))
      Out.Driver = R.number();
    else if (is(Key, "visible_devices"))
      R.text(Out.VisibleDevices, sizeof Out.VisibleDevices);
    else if (is(Key, "input")) {
      char Input[24];
      R.text(Input, sizeof Input);
      Out.NoInput = is(Input, "none");
    } else if (is(Key, "files")) {
      R.array([&] { readFile(R, Out); });
    } else if (is(Key, "processes")) {
      Out.ForProcesses = true;
      Out.NumProcesses = Out.NumVariables = 0;
      R.array([&] { readProcess(R, Out); });
    } else if (is(Key, "modules")) {
      Out.NumModules = 0;
      R.array([&] {
        if (Out.NumModules == drplan::MostModules)
          R.fail();
        else
          Out.Modules[Out.NumModules++] = R.hex();
      });
    } else
      R.skip();
  });
}

} // namespace

const char *parsePlan(const char *Text, size_t Size, PlanFile &Out) {
  if (!drplan::checksumHolds(Text, Size))
    return "it is torn or was changed: its checksum does not hold";
  Reader R(Text, Size);
  uint64_t Version = 0;
  R.object([&](const char *Key) {
    if (is(Key, "plan"))
      Version = R.number();
    else if (is(Key, "context"))
      readContext(R, Out);
    else if (is(Key, "portable"))
      Out.Portable = R.flag();
    else if (is(Key, "enabled"))
      Out.Enabled = R.flag();
    else if (is(Key, "pairs")) {
      Out.NumPairs = 0;
      R.array([&] {
        if (Out.NumPairs == MaxPlanPairs)
          R.fail();
        else
          readPair(R, Out.Pairs[Out.NumPairs++]);
      });
    } else
      R.skip();
  });
  if (Version != drplan::FormatVersion && !R.bad())
    return "it is of another version of the format";
  if (R.bad())
    return "it says more than this version of Echo reads";
  return nullptr;
}

const PlanFile *readPlan(const char *Path, const char *&Why,
                         uint64_t Compared) {
  // Not the end of a pipe, which nobody may write to.
  const int File = open(Path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat Info;
  if (File < 0 || fstat(File, &Info) != 0 || !S_ISREG(Info.st_mode) ||
      Info.st_size <= 0) {
    Why = "it cannot be read";
    if (File >= 0)
      close(File);
    return nullptr;
  }
  const auto Size = static_cast<size_t>(Info.st_size);
  void *Text = mmap(nullptr, Size, PROT_READ, MAP_PRIVATE, File, 0);
  close(File);
  void *Room = mmap(nullptr, sizeof(PlanFile), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Text == MAP_FAILED || Room == MAP_FAILED) {
    Why = "there is no memory to read it";
    return nullptr;
  }
  auto *Out = static_cast<PlanFile *>(Room);
  for (PlanPair &P : Out->Pairs)
    P.Disabled = true; // all else is zero in fresh memory
  Out->Compared = Compared;
  Why = parsePlan(static_cast<const char *>(Text), Size, *Out);
  munmap(Text, Size);
  return Why ? nullptr : Out;
}

} // namespace echo::dr
