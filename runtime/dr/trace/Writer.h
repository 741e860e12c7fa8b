//===- Writer.h - Writes the trace of a process -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records go into a shared mapping of the trace file, which its thread fills
// chunk by chunk: no lock, no system call but one for the disk's room in 1024
// records, nothing to lose when the process is killed. Where the file is full,
// or could not be made, records are counted as dropped and the program runs on.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_TRACE_WRITER_H
#define ECHO_RUNTIME_DR_TRACE_WRITER_H

#include "runtime/abi/DrTrace.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/Sites.h"

namespace echo::dr {

/// Reads ECHO_DR_TRACE and ECHO_DR_TRACE_BYTES. False, with a line, if there is
/// no folder to write to. The file itself is made at the first record.
bool prepareTrace();

/// Appends \p R, whose thread is filled in.
void writeRecord(const TraceRecord &R);

/// Counts the launch \p R in the thread's last record, if that is one like it
/// and no thread of the process has written a record since. Else false: nothing
/// was done. It is counted without its time: as no other record lies between,
/// it is in order with all of them.
bool countLaunch(const TraceRecord &R);

/// Appends \p R and then \p Text in records of its own.
void writeText(const TraceRecord &R, const char *Text);

/// Appends the frames of a site and the modules they lie in, once each.
void writeSite(uint64_t Site, const Frame *Frames, unsigned Count);

/// Appends a module, once.
void writeModule(const ModuleInfo &Info);

/// The same for the module whose hash is \p Hash, if it is known.
void writeModuleOf(uint64_t Hash);

/// Appends the name of the kernel that \p Launch names, once.
void writeKernel(const TraceRecord &Launch, const DeviceOps &Ops);

/// Writes into the header what CUDA tells of the device. Once.
void writeDevice(const DeviceOps &Ops);

/// Writes what the process began with (OwnProcess.h). writeDevice does it.
void writeProcess();

/// Writes into the header whether the plan is for this process, if there is a
/// trace.
void notePlanFits(bool Fits);
/// The same of a device that lets no mapped memory be watched.
void noteMappedUnwatched();

/// The file stays at the end, whether or not a call of CUDA was made.
void keepTrace();

/// In the child of a fork: the next record begins a trace of its own.
void traceForked();

/// The process ends: the file shrinks to what was used, or goes away where no
/// call of CUDA was made and nobody asked for it.
void finishTrace();

} // namespace echo::dr

#endif
