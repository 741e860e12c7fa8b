//===- Plots.cpp - Bars as SVG --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The longest bar is as wide as the plot allows.
//
//===----------------------------------------------------------------------===//
#include "report/Plots.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <fmt/format.h>

namespace echo::survey {

static constexpr unsigned NameWidth = 190, BarWidth = 420, RowHeight = 22;

std::string escaped(const std::string &Text) {
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  llvm::printHTMLEscaped(Text, OS);
  return Result;
}

std::string barPlot(const std::string &Title, const std::vector<Bar> &Bars) {
  unsigned Most = 1;
  for (const Bar &B : Bars)
    Most = std::max(Most, B.Value);
  std::string Text = fmt::format(
      "<figure><figcaption>{}</figcaption>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
      "viewBox=\"0 0 {} {}\">\n",
      escaped(Title), NameWidth + BarWidth + 80, RowHeight * Bars.size() + 4);
  unsigned Y = 0;
  for (const Bar &B : Bars) {
    const unsigned Width = unsigned(uint64_t(BarWidth) * B.Value / Most);
    Text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>"
                        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>"
                        "<text x=\"{}\" y=\"{}\">{}</text>\n",
                        NameWidth - 8, Y + 16, escaped(B.Name), NameWidth,
                        Y + 3, std::max(Width, 1U), RowHeight - 6,
                        NameWidth + Width + 8, Y + 16, B.Value);
    Y += RowHeight;
  }
  return Text + "</svg></figure>\n";
}

} // namespace echo::survey
