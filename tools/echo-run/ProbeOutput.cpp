//===- ProbeOutput.cpp - What a probe program says ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ProbeOutput.h.
//
//===----------------------------------------------------------------------===//
#include "ProbeOutput.h"

#include <fmt/format.h>

#include <cstdio>
#include <sstream>
#include <sys/wait.h>

namespace echo {

bool readProbeLine(const std::string &Line, ProbeOutput &Out) {
  std::istringstream In(Line);
  std::string Key, Rest;
  In >> Key;
  if (Key == "attribute") {
    std::string Name;
    int Value;
    if (!(In >> Name >> Value))
      return false;
    Out.Attributes.push_back({Name, Value});
    return true;
  }
  if (Key == "decision") {
    ProbeOutput::Decision D;
    std::string When;
    if (!(In >> D.Bytes >> When >> D.Backing >> D.From))
      return false;
    D.Quiescent = When == "quiescent";
    std::getline(In >> std::ws, D.Why);
    Out.Decisions.push_back(D);
    return true;
  }
  if (Key == "loop") {
    std::string Backing;
    uint64_t Bytes, Time;
    if (!(In >> Backing >> Bytes >> Time))
      return false;
    Out.Loops[Bytes][Backing] = Time;
    Out.Measured.push_back(Line);
    return true;
  }
  if (Key == "probe") {
    std::string Name, Kind;
    uint64_t X, Time;
    if (!(In >> Name >> X >> Kind >> Time))
      return false;
    Out.Accesses[{Name, X}][Kind] = Time;
    Out.Measured.push_back(Line);
    return true;
  }
  if (isCopyTime(Line)) {
    const std::optional<CopyTime> Copy = readCopyTime(Line);
    if (!Copy)
      return false;
    Out.Copies.push_back(*Copy);
    Out.Measured.push_back(Line);
    return true;
  }
  std::getline(In >> std::ws, Rest);
  if (Key == "error")
    Out.Error = Rest;
  else
    Out.Facts[Key] = Rest;
  return !Key.empty();
}

ProbeOutput runProbe(const std::string &Program, uint64_t MostBytes) {
  ProbeOutput Out;
  std::string Quoted = "'";
  for (char C : Program)
    Quoted += C == '\'' ? "'\\''" : std::string(1, C);
  Quoted += "'";
  if (MostBytes)
    Quoted += fmt::format(" {}", MostBytes);
  // NOLINTNEXTLINE(bugprone-command-processor): of words that are quoted
  FILE *Pipe = popen(Quoted.c_str(), "r");
  if (!Pipe) {
    Out.Error = "cannot start " + Program;
    return Out;
  }
  std::string Line;
  for (int C; (C = fgetc(Pipe)) != EOF;) {
    if (C != '\n') {
      Line += static_cast<char>(C);
      continue;
    }
    if (!readProbeLine(Line, Out) && Out.Error.empty())
      Out.Error = "the probe said '" + Line + "'";
    Line.clear();
  }
  int Status = pclose(Pipe);
  if (Out.Error.empty() && (Status != 0 || !Out.Facts.count("done")))
    Out.Error = WIFSIGNALED(Status) ? fmt::format("{} was ended by signal {}",
                                                  Program, WTERMSIG(Status))
                                    : fmt::format("{} ended with status {}",
                                                  Program, WEXITSTATUS(Status));
  return Out;
}

std::string profileText(const ProbeOutput &Out) {
  auto Fact = [&](const char *Name) {
    auto It = Out.Facts.find(Name);
    return It == Out.Facts.end() ? std::string() : It->second;
  };
  std::string Text =
      fmt::format("echo-profile 1\ndriver {}\ndevice {}\nname {}\n",
                  Fact("driver"), Fact("device"), Fact("name"));
  for (const std::string &Line : Out.Measured)
    Text += Line + "\n";
  return Text + "end\n";
}

} // namespace echo
