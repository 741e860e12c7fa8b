//===- Attributes.cpp - Values of device attributes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds the table of attribute values. See Attributes.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Attributes.h"
#include "runtime/cpu/Config.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <strings.h>
#include <unistd.h>

namespace echo::cpu {

namespace {
enum Origin { Fixed, Override };
struct Row {
  int Number;
  const char *Name;
  int Default;
  Origin From;
};
} // namespace

static constexpr Row Rows[] = {
#define CUDA_ATTRIBUTE(Number, Name, Value, From) {Number, #Name, Value, From},
#include "runtime/cpu/Attributes.def"
};

/// One past the last attribute number of CUDA 13.
static constexpr int NumAttributes = 148;
static int Values[NumAttributes];

static void set(Attr A, int Value) { Values[int(A)] = Value; }

void initAttributes(unsigned Workers) {
  for (const Row &R : Rows)
    Values[R.Number] = R.Default;
  set(Attr::MultiProcessorCount, Workers);
  long L2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
  set(Attr::L2CacheSize, L2 > 0 ? int(L2) : 1 << 20);
}

/// The name as ECHO_CPU_ATTR spells it.
static std::string spelling(const Row &R) {
  std::string Name = R.Name;
  Name[0] += 'a' - 'A';
  return Name;
}

static void overrideOne(const std::string &Item) {
  size_t Equal = Item.find('=');
  std::string Name = Item.substr(0, Equal);
  for (const Row &R : Rows) {
    if (R.From != Override || strcasecmp(Name.c_str(), R.Name))
      continue;
    char *End = nullptr;
    const char *Text = Item.c_str() + Equal + 1;
    long Value = Equal == std::string::npos ? -1 : strtol(Text, &End, 10);
    if (Value < 0 || Value > 1000 || End == Text || *End)
      configError("ECHO_CPU_ATTR: '%s': expected %s=NUMBER", Item.c_str(),
                  spelling(R).c_str());
    Values[R.Number] = Value;
    return;
  }
  std::string Known;
  for (const Row &R : Rows) {
    if (R.From == Override)
      Known += (Known.empty() ? "" : ", ") + spelling(R);
  }
  configError("ECHO_CPU_ATTR: unknown attribute '%s'; known are %s",
              Name.c_str(), Known.c_str());
}

void overrideAttributes(const char *Text) {
  for (const char *P = Text; *P;) {
    size_t Length = strcspn(P, ",");
    overrideOne(std::string(P, Length));
    P += Length;
    P += *P == ',';
  }
}

namespace {
struct DeviceRow {
  const char *Name, *Attributes;
};
} // namespace

static constexpr DeviceRow DeviceRows[] = {
#define CPU_DEVICE(Name, Text, Attributes) {Name, Attributes},
#include "runtime/cpu/Devices.def"
};
static const char *Device = nullptr;

void becomeDevice(const char *Name) {
  std::string Known;
  for (const DeviceRow &R : DeviceRows) {
    if (!strcmp(Name, R.Name)) {
      Device = R.Name;
      overrideAttributes(R.Attributes);
      return;
    }
    Known += (Known.empty() ? "" : ", ") + std::string(R.Name);
  }
  configError("ECHO_CPU_DEVICE=%s: unknown device; known are %s", Name,
              Known.c_str());
}

const char *deviceName() { return Device; }

int attribute(Attr A) { return Values[int(A)]; }

bool attributeByNumber(int Number, int &Value) {
  if (Number < 1 || Number >= NumAttributes)
    return false;
  Value = Values[Number];
  return true;
}

} // namespace echo::cpu
