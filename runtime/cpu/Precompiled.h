//===- Precompiled.h - The standard headers that most files need -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsed once (ECHO_PRECOMPILE). Every file still includes what it uses: the
// project builds without this one, too.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_PRECOMPILED_H
#define ECHO_RUNTIME_CPU_PRECOMPILED_H

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#endif
