//===- Plan.cpp - What echo-run decided for a program ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Plan.h. Keys keep the order in which they are written, so that equal
// plans are equal texts.
//
//===----------------------------------------------------------------------===//
#include "Profile/Plan.h"

#include "Profile/PlanKeys.h"
#include "Profile/PlanStore.h"

#include "runtime/abi/Variables.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace echo::drtool {

using nlohmann::json;
using nlohmann::ordered_json;

std::string hexText(uint64_t Value) {
  std::string Text(16, '0');
  drplan::hexDigits(Value, Text.data());
  return Text;
}

bool PlanPair::isOpen(Choice C) const {
  if (C == Choice::PinnedQueued)
    return isOpen(Choice::PinnedSplit) && couldMerge();
  return std::find(Open.begin(), Open.end(), C) != Open.end();
}

static constexpr std::string_view InBytes = "bytes:";

/// How a plan writes variable \p Name: as it is, or, where JSON cannot hold
/// that or it would look like this, "bytes:" and its bytes in hex.
static std::string nameText(const std::string &Name) {
  if (isUtf8(Name) && !Name.starts_with(InBytes))
    return Name;
  std::string Text(InBytes);
  for (unsigned char Byte : Name)
    for (unsigned Half : {Byte >> 4, Byte & 15})
      Text += "0123456789abcdef"[Half];
  return Text;
}

/// The name that nameText wrote as \p Text, or nothing if it wrote none such.
static std::string nameFrom(const std::string &Text) {
  if (!Text.starts_with(InBytes))
    return Text;
  const std::string_view Hex = std::string_view(Text).substr(InBytes.size());
  std::string Name;
  for (size_t I = 0; I < Hex.size(); I += 2) {
    unsigned char Byte = 0;
    const char *End = Hex.data() + std::min(I + 2, Hex.size());
    if (End - (Hex.data() + I) != 2 ||
        std::from_chars(Hex.data() + I, End, Byte, 16).ptr != End)
      return "";
    Name += char(Byte);
  }
  return Name;
}

static ordered_json executableJson(const PlanExecutable &E) {
  return {{"path", E.Path}, {"hash", hexText(E.Hash)}};
}

static ordered_json variablesJson(const std::vector<PlanVariable> &Variables) {
  ordered_json Out = ordered_json::array();
  for (const PlanVariable &V : Variables)
    Out.push_back(
        ordered_json{{"name", nameText(V.Name)}, {"hash", hexText(V.Hash)}});
  return Out;
}

static ordered_json processJson(const PlanProcess &P) {
  ordered_json Out;
  Out["arguments"] = hexText(P.Arguments);
  Out["folder"] = hexText(P.Folder);
  Out["input"] = hexText(P.Input);
  Out["inherited"] = hexText(P.Inherited);
  Out["limits"] = hexText(P.Limits);
  Out["variables"] = variablesJson(P.Variables);
  Out["all_variables"] = P.AllVariables;
  return Out;
}

static ordered_json contextJson(const PlanContext &C) {
  ordered_json Out;
  Out["command"] = executableJson(C.Command);
  Out["script"] = executableJson(C.Script);
  Out["arguments"] = ordered_json::array();
  for (const std::string &A : C.Arguments)
    Out["arguments"].push_back(A);
  Out["executable"] = executableJson(C.Executable);
  Out["interposer"] = hexText(C.Interposer);
  Out["folder"] = C.Folder;
  Out["input"] = C.Input;
  Out["uses_input"] = C.UsesInput;
  Out["host"] = C.Host;
  Out["machine"] = hexText(C.Machine);
  Out["device"] = C.Device;
  Out["uuid"] = C.Uuid;
  Out["release"] = C.Release;
  Out["runtime"] = C.Runtime;
  Out["driver"] = C.Driver;
  Out["visible_devices"] = C.VisibleDevices;
  Out["files"] = ordered_json::array();
  for (const PlanInput &F : C.Files)
    Out["files"].push_back(ordered_json{{"path", F.Path},
                                        {"what", F.What},
                                        {"size", F.Size},
                                        {"hash", hexText(F.Hash)}});
  Out["variables"] = variablesJson(C.Variables);
  Out["all_variables"] = C.AllVariables;
  Out["written"] = C.Written;
  Out["changed"] = C.Changed;
  Out["unseen"] = C.Unseen ? ordered_json(*C.Unseen) : ordered_json();
  Out["processes"] = ordered_json::array();
  for (const PlanProcess &P : C.Processes)
    Out["processes"].push_back(processJson(P));
  for (uint64_t Module : C.Modules)
    Out["modules"].push_back(hexText(Module));
  return Out;
}

static ordered_json pairJson(const PlanPair &P) {
  ordered_json Out;
  Out["id"] = P.Id;
  Out["host_site"] = hexText(P.HostSite);
  Out["device_site"] = hexText(P.DeviceSite);
  Out["bytes"] = P.Bytes;
  Out["device_bytes"] = P.DeviceBytes;
  Out["host_may_change"] = P.HostMayChange;
  Out["open"] = ordered_json::array();
  for (Choice C : P.Open)
    Out["open"].push_back(drplan::ChoiceWords[unsigned(C)]);
  Out["choice"] = drplan::ChoiceWords[unsigned(P.Chosen)];
  Out["copies"] = ordered_json::array();
  for (const PlanCopy &C : P.Copies)
    Out["copies"].push_back(
        ordered_json{{"site", hexText(C.Site)},
                     {"direction", C.ToDevice ? "H2D" : "D2H"},
                     {"wait", drplan::WaitWords[unsigned(C.Needed)]}});
  Out["disabled"] = P.Disabled ? ordered_json(*P.Disabled) : ordered_json();
  Out["validated"] = P.Validated;
  Out["joins"] = ordered_json::array();
  for (unsigned J = 0; J != std::size(drplan::JoinWords); ++J)
    if (P.Joins >> J & 1)
      Out["joins"].push_back(drplan::JoinWords[J]);
  Out["rejected"] = P.Rejected ? ordered_json(*P.Rejected) : ordered_json();
  Out["evidence"] = ordered_json::object();
  for (const auto &[Name, Number] : P.Evidence)
    Out["evidence"][Name] = Number;
  return Out;
}

std::string planText(const Plan &P) {
  ordered_json Out;
  Out["echo"] = P.Echo;
  Out["plan"] = drplan::FormatVersion;
  Out["context"] = contextJson(P.Context);
  Out["portable"] = P.Portable;
  Out["calibrated_on"] = P.CalibratedOn;
  Out["enabled"] = P.Enabled;
  Out["why"] = P.Why;
  Out["loop_site"] = hexText(P.LoopSite);
  Out["pairs"] = ordered_json::array();
  for (const PlanPair &Pair : P.Pairs)
    Out["pairs"].push_back(pairJson(Pair));
  // Arguments and paths may be any bytes: what is no UTF-8 is replaced, and
  // such a plan then never matches.
  std::string Text =
      Out.dump(2, ' ', false, ordered_json::error_handler_t::replace);
  Text.resize(Text.size() - 2); // "\n}"
  Text += ",\n  ";
  uint64_t Sum = dr::fnv1a(Text.data(), Text.size());
  return Text + drplan::ChecksumKey + hexText(Sum) + drplan::ChecksumEnd;
}

static uint64_t hexAt(const json &Object, const char *Name) {
  return *readHex(Object[Name].get<std::string>());
}

static PlanExecutable readExecutable(const json &In) {
  return {In["path"], hexAt(In, "hash")};
}

static std::vector<PlanVariable> readVariables(const json &In) {
  std::vector<PlanVariable> Out;
  for (const json &V : In)
    Out.push_back({nameFrom(V["name"]), hexAt(V, "hash")});
  return Out;
}

static PlanContext readContext(const json &In) {
  PlanContext C;
  C.Command = readExecutable(In["command"]);
  C.Script = readExecutable(In["script"]);
  for (const json &A : In["arguments"])
    C.Arguments.push_back(A);
  C.Executable = readExecutable(In["executable"]);
  C.Interposer = hexAt(In, "interposer");
  C.Folder = In["folder"];
  C.Input = In["input"];
  C.UsesInput = In.value("uses_input", true);
  C.Host = In["host"];
  C.Machine = hexAt(In, "machine");
  C.Device = In["device"];
  C.Uuid = In["uuid"];
  C.Release = In["release"];
  C.Runtime = In["runtime"];
  C.Driver = In["driver"];
  C.VisibleDevices = In["visible_devices"];
  for (const json &F : In["files"])
    C.Files.push_back({F["path"], F["what"], F["size"], hexAt(F, "hash")});
  C.Variables = readVariables(In["variables"]);
  C.AllVariables = In["all_variables"];
  for (const json &W : In["written"])
    C.Written.push_back(W);
  if (In.contains("changed"))
    for (const json &Name : In["changed"])
      C.Changed.push_back(Name);
  if (In["unseen"].is_string())
    C.Unseen = In["unseen"].get<std::string>();
  for (const json &P : In["processes"])
    C.Processes.push_back({hexAt(P, "arguments"), hexAt(P, "folder"),
                           hexAt(P, "input"), hexAt(P, "inherited"),
                           hexAt(P, "limits"), readVariables(P["variables"]),
                           P["all_variables"]});
  if (In.contains("modules"))
    for (const json &M : In["modules"])
      C.Modules.push_back(readHex(M.get<std::string>()).value_or(0));
  return C;
}

static PlanPair readPair(const json &In) {
  PlanPair P;
  P.Id = In["id"];
  P.HostSite = hexAt(In, "host_site");
  P.DeviceSite = hexAt(In, "device_site");
  P.Bytes = In["bytes"];
  P.DeviceBytes = In["device_bytes"];
  P.HostMayChange = In["host_may_change"];
  for (const json &Word : In["open"])
    P.Open.push_back(*wordIn<Choice>(drplan::ChoiceWords, Word));
  P.Chosen = *wordIn<Choice>(drplan::ChoiceWords, In["choice"]);
  for (const json &C : In["copies"])
    P.Copies.push_back({hexAt(C, "site"), C["direction"] == "H2D",
                        *wordIn<Wait>(drplan::WaitWords, C["wait"])});
  if (In["disabled"].is_string())
    P.Disabled = In["disabled"].get<std::string>();
  P.Validated = In["validated"];
  if (auto It = In.find("joins"); It != In.end())
    for (const json &Word : *It)
      P.Joins |= uint8_t(
          1u << unsigned(*wordIn<drplan::Join>(drplan::JoinWords, Word)));
  if (In["rejected"].is_string())
    P.Rejected = In["rejected"].get<std::string>();
  if (auto It = In.find("evidence"); It != In.end())
    for (const auto &Item : It->items())
      if (Item.value().is_number())
        P.Evidence[Item.key()] = Item.value();
  return P;
}

/// The rules between keys, which protect from plans that nobody calibrated.
static std::string checkRules(const Plan &P) {
  if (P.Pairs.size() > drplan::MostPairs)
    return "pairs has too many";
  if (P.Context.Files.size() > drplan::MostFiles ||
      P.Context.Written.size() > drplan::MostFiles ||
      P.Context.Changed.size() > drplan::MostFiles ||
      P.Context.Variables.size() > drplan::MostVariables)
    return "context has too many files or variables";
  for (const PlanVariable &V : P.Context.Variables)
    if (V.Name.empty())
      return "context.variables holds what is no name";
  size_t OfProcesses = 0;
  for (const PlanProcess &Each : P.Context.Processes) {
    OfProcesses += Each.Variables.size();
    for (const PlanVariable &V : Each.Variables)
      if (!dr::isPlainVariable(V.Name.data(), V.Name.size()))
        return "context.processes holds what is no name";
  }
  if (P.Context.Processes.size() > drplan::MostProcesses ||
      OfProcesses > drplan::MostProcessVariables)
    return "context has too many processes";
  std::set<uint64_t> Ids;
  std::set<std::pair<uint64_t, std::pair<uint64_t, uint64_t>>> Triples;
  for (size_t I = 0; I < P.Pairs.size(); ++I) {
    const PlanPair &Pair = P.Pairs[I];
    const std::string Where = "pairs[" + std::to_string(I) + "]";
    if (!Pair.Id || !Ids.insert(Pair.Id).second)
      return Where + ".id is zero or taken";
    if (!Pair.Bytes)
      return Where + ".bytes is zero";
    if (!Pair.HostSite)
      return Where + ".host_site is zero";
    if (!Triples.insert({Pair.HostSite, {Pair.DeviceSite, Pair.Bytes}}).second)
      return Where + " has the sites and size of another pair";
    if (Pair.Copies.empty() || Pair.Copies.size() > drplan::MostCopies)
      return Where + ".copies is empty or has too many";
    for (Choice C : Pair.Open)
      if (drplan::merges(C) && !Pair.couldMerge())
        return Where + ".open makes one buffer of two that differ";
    if (Pair.Chosen != Choice::Leave && !Pair.isOpen(Pair.Chosen))
      return Where + ".choice is not open";
    if (drplan::restsOnValidation(Pair.Chosen) && !Pair.Validated)
      return Where +
             (drplan::merges(Pair.Chosen) ? ".choice makes one buffer of two"
                                          : ".choice lets uploads go on") +
             " without validation";
  }
  if (P.Portable != P.Context.Host.empty())
    return "context.host and portable do not fit";
  return "";
}

std::optional<Plan> parsePlan(std::string_view Text, std::string &Why) {
  if (!drplan::checksumHolds(Text.data(), Text.size())) {
    Why = "its checksum is wrong: it is torn or was changed";
    return std::nullopt;
  }
  const json In = json::parse(Text, nullptr, /*allow_exceptions=*/false);
  if (In.is_discarded()) {
    Why = "it is not JSON";
    return std::nullopt;
  }
  if (auto It = In.find("plan");
      In.is_object() && It != In.end() && *It != drplan::FormatVersion) {
    Why = "it has the format of another version of Echo";
    return std::nullopt;
  }
  Why = checkPlanObject(In, "plan", "");
  if (!Why.empty())
    return std::nullopt;
  Plan P;
  P.Echo = In["echo"];
  P.Context = readContext(In["context"]);
  P.Portable = In["portable"];
  P.CalibratedOn = In["calibrated_on"];
  P.Enabled = In["enabled"];
  P.Why = In["why"];
  P.LoopSite = hexAt(In, "loop_site");
  for (const json &Pair : In["pairs"])
    P.Pairs.push_back(readPair(Pair));
  Why = checkRules(P);
  if (!Why.empty())
    return std::nullopt;
  return P;
}

} // namespace echo::drtool
