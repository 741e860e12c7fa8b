//===- TraceText.h - Traces made by tests -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the bytes of a trace file, record by record, as a profiled program
// would: each call is one record, ten nanoseconds long, ten after the last one.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_DR_TRACETEXT_H
#define ECHO_TEST_UNIT_DR_TRACETEXT_H

#include "Profile/Trace.h"

#include <cstring>
#include <string>
#include <vector>

class TraceText {
  echo::dr::TraceHeader Header = {};
  std::vector<std::vector<echo::dr::TraceRecord>> Chunks;

public:
  using Record = echo::dr::Record;
  uint64_t Now = 1000;
  uint16_t Thread = 1;

  TraceText() {
    memcpy(Header.Magic, echo::dr::TraceMagic, sizeof Header.Magic);
    Header.Version = echo::dr::TraceVersion;
    Header.RecordBytes = echo::dr::TraceRecordBytes;
    Header.HeaderBytes = echo::dr::TraceHeaderBytes;
    Header.RecordsPerChunk = echo::dr::TraceRecordsPerChunk;
    Header.NumChunks = 64;
    Header.Pid = 42;
    Header.StartNs = 900;
    Header.MinBytes = echo::dr::DrDefaultMinBytes;
    Header.ExecutableHash = 0xe;
    Header.InterposerHash = 0x1;
    Header.DriverVersion = Header.RuntimeVersion = 13000;
    Header.Finished = 1;
    strcpy(Header.Executable, "/bin/app");
    strcpy(Header.Host, "box");
    strcpy(Header.DeviceName, "GPU");
  }

  echo::dr::TraceHeader &header() { return Header; }

  /// Adds a record that takes \p Took nanoseconds.
  TraceText &add(Record Kind, echo::dr::TraceRecord R = {},
                 uint64_t Took = 10) {
    R.Kind = uint8_t(Kind);
    R.Thread = Thread;
    R.Begin = Now += 10;
    R.End = Now += Took;
    return put(R);
  }
  TraceText &put(const echo::dr::TraceRecord &R) {
    // A chunk belongs to one thread.
    std::vector<echo::dr::TraceRecord> *Mine = nullptr;
    for (auto &C : Chunks)
      if (!C.empty() && C[0].Thread == R.Thread &&
          C.size() < echo::dr::TraceRecordsPerChunk)
        Mine = &C;
    if (!Mine)
      Mine = &Chunks.emplace_back();
    Mine->push_back(R);
    return *this;
  }
  /// The Text records of \p Text.
  TraceText &text(const std::string &Text) {
    for (size_t At = 0; At < Text.size(); At += echo::dr::TraceTextBytes) {
      echo::dr::TraceRecord R;
      std::string Part = Text.substr(At, echo::dr::TraceTextBytes);
      R.Flags = uint8_t(Part.size());
      memcpy(reinterpret_cast<char *>(&R.Site), Part.data(), Part.size());
      R.Kind = uint8_t(Record::Text);
      R.Thread = Thread;
      R.Begin = R.End = Now;
      put(R);
    }
    return *this;
  }

  TraceText &hostAlloc(uint64_t P, uint64_t Bytes, uint64_t Site,
                       echo::dr::How How = echo::dr::How::Malloc) {
    return add(Record::HostAlloc,
               {.Flags = uint8_t(How), .Site = Site, .A = P, .Bytes = Bytes});
  }
  TraceText &hostFree(uint64_t P) { return add(Record::HostFree, {.A = P}); }
  TraceText &deviceAlloc(uint64_t P, uint64_t Bytes, uint64_t Site,
                         echo::dr::How How = echo::dr::How::Device) {
    return add(Record::DeviceAlloc,
               {.Flags = uint8_t(How), .Site = Site, .A = P, .Bytes = Bytes});
  }
  TraceText &deviceFree(uint64_t P) {
    return add(Record::DeviceFree, {.A = P});
  }
  TraceText &copy(uint8_t Flags, uint64_t To, uint64_t From, uint64_t Bytes,
                  uint64_t Site, uint64_t Stream = 0, uint64_t Took = 100) {
    return add(Record::Copy,
               {.Flags = Flags,
                .Site = Site,
                .A = To,
                .B = From,
                .Bytes = Bytes,
                .Stream = Stream},
               Took);
  }
  TraceText &launch(uint64_t Stream = 0) {
    return add(Record::Launch, {.Site = 0x99, .Stream = Stream});
  }

  std::string bytes() {
    Header.NextChunk = Chunks.size();
    std::string Out(echo::dr::TraceHeaderBytes, '\0');
    memcpy(Out.data(), &Header, sizeof Header);
    for (const auto &C : Chunks) {
      Out.append(reinterpret_cast<const char *>(C.data()),
                 C.size() * sizeof C[0]);
      Out.resize(Out.size() +
                 (echo::dr::TraceRecordsPerChunk - C.size()) * sizeof C[0]);
    }
    return Out;
  }
  echo::drtool::Trace trace() {
    std::string Why;
    return echo::drtool::parseTrace(bytes(), Why).value();
  }
};

#endif
