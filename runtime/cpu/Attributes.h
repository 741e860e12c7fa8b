//===- Attributes.h - What the device says of itself ---------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides the value of every device attribute, from Attributes.def, the
// machine, ECHO_CPU_DEVICE (Devices.def) and ECHO_CPU_ATTR. Attributes are set
// once, before the device is used.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_ATTRIBUTES_H
#define ECHO_RUNTIME_CPU_ATTRIBUTES_H

namespace echo::cpu {

enum class Attr : int {
#define CUDA_ATTRIBUTE(Number, Name, Value, Override) Name = Number,
#include "runtime/cpu/Attributes.def"
};

/// Sets defaults and what depends on the machine.
void initAttributes(unsigned Workers);
/// Applies the row \p Name of Devices.def. Ends the program on a name that is
/// not there.
void becomeDevice(const char *Name);
/// The row's name; null where none was asked for.
const char *deviceName();
/// Applies "name=value,...". Ends the program on a name or value it does not
/// know.
void overrideAttributes(const char *Text);
/// The value of an attribute.
int attribute(Attr A);
/// The value of attribute \p Number in \p Value; false if CUDA has none of
/// that number.
bool attributeByNumber(int Number, int &Value);

} // namespace echo::cpu

#endif
