//===- Trace.cpp - The records of one profiled process --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Trace.h.
//
//===----------------------------------------------------------------------===//
#include "Profile/Trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <list>
#include <utility>

namespace echo::drtool {

namespace fs = std::filesystem;
using dr::Record;
using dr::TraceHeader;

static constexpr size_t ChunkBytes =
    size_t(dr::TraceRecordsPerChunk) * dr::TraceRecordBytes;
/// More than any program's share of memory for a trace.
static constexpr uint64_t MostBytes = uint64_t(8) << 30;
/// No buffer or copy is larger, nor can a plan write such a number.
static constexpr uint64_t MostOfARecord = uint64_t(1) << 53;

template <size_t N> static std::string fixedText(const char (&Field)[N]) {
  return std::string(Field, strnlen(Field, N));
}

static std::string checkHeader(const TraceHeader &H) {
  if (memcmp(H.Magic, dr::TraceMagic, sizeof H.Magic) != 0)
    return "it is no trace of Echo";
  if (H.Version != dr::TraceVersion)
    return fmt::format("its format is version {}, not {}", H.Version,
                       dr::TraceVersion);
  if (H.RecordBytes != dr::TraceRecordBytes ||
      H.HeaderBytes != dr::TraceHeaderBytes ||
      H.RecordsPerChunk != dr::TraceRecordsPerChunk)
    return "its header is damaged";
  return "";
}

/// A path that leads out of a process's folder of /proc: that is gone by the
/// time that anybody looks.
static std::string outOfProc(const std::string &Path) {
  return Path.compare(0, 6, "/proc/") == 0 && Path.find("/../") != Path.npos
             ? std::filesystem::path(Path).lexically_normal().string()
             : Path;
}

static void readHeader(const TraceHeader &H, Trace &T) {
  T.Pid = H.Pid;
  T.ParentPid = H.ParentPid;
  T.StartNs = H.StartNs;
  T.MinBytes = H.MinBytes;
  T.ExecutableHash = H.ExecutableHash;
  T.InterposerHash = H.InterposerHash;
  T.Driver = H.DriverVersion > 0 ? uint32_t(H.DriverVersion) : 0;
  T.Runtime = H.RuntimeVersion > 0 ? uint32_t(H.RuntimeVersion) : 0;
  T.Executable = fixedText(H.Executable);
  T.BuildId = fixedText(H.BuildId);
  T.Host = fixedText(H.Host);
  T.Device = fixedText(H.DeviceName);
  T.Uuid = fixedText(H.DeviceUuid);
  T.VisibleDevices = fixedText(H.VisibleDevices);
  T.Finished = H.Finished == 1;
  T.ByDriver = H.Api == 2;
  if (H.PlanFits)
    T.PlanFits = H.PlanFits == 1;
  T.MappedUnwatched = H.MappedUnwatched == 1;
  T.Dropped = H.Dropped;
}

namespace {

/// Puts records where they belong, one after the other in file order.
class Sorter {
  Trace &T;
  /// Per thread: the text that its next Text records continue; 0: none,
  /// else 1 + module's hash position or mark.
  struct Open {
    std::string *Text = nullptr;
    size_t Mark = 0;
    bool IsMark = false;
  };
  std::map<uint16_t, Open> Owners;
  /// Names of variables and files, which are whole only at the end.
  struct Name {
    uint8_t Kind, Flags;
    std::string Text;
    uint64_t Value; ///< of ProcessVariable, and whether a File is polled
  };
  std::list<Name> Names;
  /// Per thread: the last of several launches that one record stands for, until
  /// the thread's next record is known.
  std::map<uint16_t, TraceRecord> Pending;

  /// Launches that one record stands for become two events: the first ones
  /// where the record is, the last one as late as it may have been.
  void addLaunches(TraceRecord R) {
    TraceRecord Last = R;
    Last.Bytes = 0;
    --R.Bytes;
    T.Events.push_back(R);
    auto [It, IsNew] = Pending.insert({R.Thread, Last});
    if (!IsNew) // only in a damaged trace
      endLaunches(std::exchange(It->second, Last), 0);
  }

  void endLaunches(TraceRecord Last, uint64_t When) {
    Last.Begin = Last.End = std::max(Last.Begin, When);
    T.Events.push_back(Last);
  }

  /// The thread's next record is \p R.
  void endLaunches(const TraceRecord &R) {
    auto It = Pending.find(R.Thread);
    // A call that began before the launches is around them.
    if (It == Pending.end() || R.Begin < It->second.Begin)
      return;
    endLaunches(It->second, R.Begin);
    Pending.erase(It);
  }

  void addText(const TraceRecord &R) {
    auto It = Owners.find(R.Thread);
    size_t Size = R.Flags;
    if (It == Owners.end() || Size > dr::TraceTextBytes) {
      ++T.Unreadable;
      return;
    }
    char Characters[dr::TraceTextBytes];
    memcpy(Characters, reinterpret_cast<const char *>(&R.Site), Size);
    std::string &Text =
        It->second.IsMark ? T.Marks[It->second.Mark] : *It->second.Text;
    if (Text.size() < 4096) // a path or a name; more is damage
      Text.append(Characters, Size);
  }

public:
  explicit Sorter(Trace &T) : T(T) {}

  void add(TraceRecord R) {
    const Record Kind = static_cast<Record>(R.Kind);
    if (Kind == Record::Text)
      return addText(R);
    Owners.erase(R.Thread);
    switch (Kind) {
    case Record::Module: {
      std::string &Path = T.Modules[R.A];
      Path.clear();
      Owners[R.Thread].Text = &Path;
      return;
    }
    case Record::Frame: {
      if (R.Bytes >= dr::SiteFrames) {
        ++T.Unreadable;
        return;
      }
      std::vector<CodeAddress> &Frames = T.Sites[R.Site];
      if (Frames.size() <= R.Bytes)
        Frames.resize(R.Bytes + 1);
      Frames[R.Bytes] = {R.A, R.B};
      return;
    }
    case Record::Kernel: {
      Trace::Kernel &K = T.Kernels[R.A];
      K = {"", {R.Site, R.B}};
      Owners[R.Thread].Text = &K.Name;
      return;
    }
    case Record::Process:
      T.Began = {R.A, R.B, R.Bytes, R.Site, R.Stream, R.Flags};
      return;
    case Record::Variable:
    case Record::ProcessVariable:
    case Record::File:
    case Record::Change:
    case Record::Child:
      Names.push_back({R.Kind, R.Flags, "", R.A});
      Owners[R.Thread].Text = &Names.back().Text;
      return;
    case Record::Mark: {
      Open &O = Owners[R.Thread];
      O.IsMark = true;
      O.Mark = R.B = T.Marks.size();
      T.Marks.emplace_back();
      break;
    }
    default:
      break;
    }
    if (R.End < R.Begin || R.Bytes > MostOfARecord || !isKnown(R.Kind)) {
      ++T.Unreadable;
      return;
    }
    if (!Pending.empty())
      endLaunches(R);
    if (Kind == Record::Launch && R.Bytes)
      return addLaunches(R);
    T.Events.push_back(R);
  }

  /// Everything was added.
  void finish() {
    uint64_t Latest = 0;
    for (const TraceRecord &R : T.Events)
      Latest = std::max(Latest, R.End);
    for (const auto &[Thread, Last] : Pending)
      endLaunches(Last, Latest);
    for (const Name &N : Names) {
      if (static_cast<Record>(N.Kind) == Record::Variable) {
        if (!N.Text.empty())
          T.Variables.insert(N.Text);
      } else if (static_cast<Record>(N.Kind) == Record::ProcessVariable) {
        T.Environment[N.Text] = N.Value;
      } else if (static_cast<Record>(N.Kind) == Record::Child) {
        if (N.Flags & dr::ChildForked)
          ++T.Forks;
        else
          T.Starts.insert(N.Text.empty() ? "a process" : N.Text);
      } else if (N.Text.empty()) {
        T.MoreFiles = true;
      } else if (static_cast<Record>(N.Kind) == Record::Change) {
        T.Changed.insert(outOfProc(N.Text));
      } else {
        // What it asked was recorded, unless its own file answers.
        auto &Files = N.Value == dr::FilePolled ? T.Polled : T.Files;
        Files[outOfProc(N.Text)] |= N.Flags & dr::FileAll;
      }
    }
  }

  static bool isKnown(uint8_t Kind) {
    switch (static_cast<Record>(Kind)) {
#define DR_RECORD(name, number, text) case Record::name:
#include "runtime/abi/DrTrace.def"
      return true;
    default:
      return false;
    }
  }
};

} // namespace

std::optional<Trace> parseTrace(std::string_view Bytes, std::string &Why) {
  TraceHeader H;
  if (Bytes.size() < sizeof H) {
    Why = "it ends within its header";
    return std::nullopt;
  }
  memcpy(&H, Bytes.data(), sizeof H);
  Why = checkHeader(H);
  if (!Why.empty())
    return std::nullopt;
  Trace T;
  readHeader(H, T);
  Sorter Put(T);
  const uint64_t Chunks = std::min(H.NextChunk, H.NumChunks);
  for (uint64_t Chunk = 0; Chunk < Chunks && !T.Short; ++Chunk)
    for (size_t I = 0; I < dr::TraceRecordsPerChunk; ++I) {
      // Cannot overflow: a Chunk beyond the file ends the loop.
      size_t At = dr::TraceHeaderBytes + size_t(Chunk) * ChunkBytes +
                  I * dr::TraceRecordBytes;
      if (At > Bytes.size() || Bytes.size() - At < dr::TraceRecordBytes) {
        T.Short = true;
        break;
      }
      TraceRecord R;
      memcpy(&R, Bytes.data() + At, sizeof R);
      if (R.Kind == uint8_t(Record::None))
        break; // nothing follows in this chunk
      Put.add(R);
    }
  Put.finish();
  std::stable_sort(T.Events.begin(), T.Events.end(),
                   [](const TraceRecord &L, const TraceRecord &R) {
                     return L.Begin < R.Begin;
                   });
  return T;
}

std::optional<Trace> readTrace(const std::string &File, std::string &Why) {
  std::ifstream In(File, std::ios::binary);
  std::string Bytes(dr::TraceHeaderBytes, '\0');
  if (!In) {
    Why = "it cannot be opened";
    return std::nullopt;
  }
  In.read(Bytes.data(), std::streamsize(Bytes.size()));
  Bytes.resize(size_t(In.gcount()));
  if (Bytes.size() == dr::TraceHeaderBytes) {
    TraceHeader H;
    memcpy(&H, Bytes.data(), sizeof H);
    // The rest of the file was never written to.
    uint64_t Chunks =
        std::min({H.NextChunk, H.NumChunks, MostBytes / uint64_t(ChunkBytes)});
    std::error_code Error;
    uint64_t Size = fs::file_size(File, Error);
    uint64_t Used = Bytes.size() + Chunks * ChunkBytes;
    if (checkHeader(H).empty() && !Error) {
      Bytes.resize(size_t(
          std::min(Used, std::max<uint64_t>(Size, dr::TraceHeaderBytes))));
      In.read(Bytes.data() + dr::TraceHeaderBytes,
              std::streamsize(Bytes.size() - dr::TraceHeaderBytes));
      Bytes.resize(dr::TraceHeaderBytes + size_t(In.gcount()));
    }
  }
  std::optional<Trace> T = parseTrace(Bytes, Why);
  if (T)
    T->File = File;
  return T;
}

std::vector<Trace> readTraces(const std::string &Folder,
                              std::vector<std::string> &Problems) {
  std::vector<Trace> Out;
  std::error_code Error;
  fs::directory_iterator Files(Folder, Error);
  if (Error) {
    Problems.push_back(Folder + ": " + Error.message());
    return Out;
  }
  for (const fs::directory_entry &Entry : Files) {
    const std::string Name = Entry.path().filename().string();
    if (Name.rfind("trace.", 0) != 0 || Entry.path().extension() != ".echo")
      continue;
    std::string Why;
    if (std::optional<Trace> T = readTrace(Entry.path().string(), Why))
      Out.push_back(std::move(*T));
    else
      Problems.push_back(Entry.path().string() + ": " + Why);
  }
  std::sort(Out.begin(), Out.end(),
            [](const Trace &L, const Trace &R) { return L.Pid < R.Pid; });
  std::sort(Problems.begin(), Problems.end());
  return Out;
}

std::string Trace::frameText(uint64_t Site, size_t Index) const {
  auto It = Sites.find(Site);
  if (It == Sites.end() || Index >= It->second.size())
    return "";
  const CodeAddress &Address = It->second[Index];
  return fmt::format("{}+{:#x}", moduleText(Address.Module), Address.Offset);
}

std::string Trace::moduleText(uint64_t Hash) const {
  auto Module = Modules.find(Hash);
  return Module == Modules.end() ? fmt::format("{:016x}", Hash)
                                 : fs::path(Module->second).filename().string();
}

} // namespace echo::drtool
