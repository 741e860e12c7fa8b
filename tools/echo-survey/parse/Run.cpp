//===- Run.cpp - Reads all files of a survey ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts of a file come back as JSON; a project is joined when all are there.
//
//===----------------------------------------------------------------------===//
#include "parse/Run.h"

#include <nlohmann/json.hpp>

namespace echo::survey {

SurveyResult runSurvey(const std::vector<Source> &Files,
                       const std::string &Clang, const WorkLimits &Limits,
                       const ProgressCall &Progress) {
  SurveyResult Result;
  Result.Files = unsigned(Files.size());
  std::vector<FileFacts> Facts(Files.size());
  size_t Finished = 0;
  runWork(
      Files.size(), Limits,
      [&](size_t N) { return toJson(parse(Files[N], Clang)).dump(); },
      [&](size_t N, const Outcome &O) {
        const std::string Name = Files[N].Path.substr(Files[N].Root.size());
        if (O.Failed.empty())
          Facts[N] = factsFromJson(nlohmann::json::parse(O.Text));
        else
          Result.Failed.push_back({Name, O.Failed});
        Facts[N].File = Name;
        Progress(++Finished, Files.size(), "read");
      });
  std::sort(Result.Failed.begin(), Result.Failed.end());
  std::map<std::string, std::vector<FileFacts>> Projects;
  for (size_t N = 0; N < Files.size(); ++N)
    Projects[Files[N].Project].push_back(std::move(Facts[N]));
  for (const auto &[Name, Of] : Projects)
    Result.Projects.push_back(joinProject(Name, Of));
  return Result;
}

} // namespace echo::survey
