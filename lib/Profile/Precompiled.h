//===- Precompiled.h - Headers that most files need -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsed once (ECHO_PRECOMPILE). Every file still includes what it uses: the
// project builds without this one, too.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_PRECOMPILED_H
#define ECHO_PROFILE_PRECOMPILED_H

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#endif
