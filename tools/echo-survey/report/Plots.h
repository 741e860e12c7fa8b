//===- Plots.h - Bars as SVG -----------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws numbers as horizontal bars, as text of SVG that stands in a page. Each
// bar has its name and its number, so that nothing is said by colour alone.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_PLOTS_H
#define ECHO_TOOLS_ECHOSURVEY_PLOTS_H

#include <string>
#include <vector>

namespace echo::survey {

struct Bar {
  std::string Name;
  unsigned Value = 0;
};

/// One plot with \p Title, bars from top to bottom.
std::string barPlot(const std::string &Title, const std::vector<Bar> &Bars);

/// \p Text as text of HTML.
std::string escaped(const std::string &Text);

} // namespace echo::survey

#endif
