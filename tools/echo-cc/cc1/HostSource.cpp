//===- HostSource.cpp - nvcc's -cuda --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The assembly is GNU as's, in a raw string. It has no debug information: the
// host compiler's own would number the same files.
//
//===----------------------------------------------------------------------===//
#include "cc1/HostSource.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace echo {

Error HostSource::prepare(std::vector<std::string> &Args, PrivateFiles &Files) {
  Expected<std::string> File = Files.create("s");
  if (!File)
    return File.takeError();
  Assembly = *File;
  auto Dashes = llvm::find(Args, "--");
  size_t At = Dashes - Args.begin();
  for (size_t I = 0; I < At; ++I) {
    StringRef Arg = Args[I];
    if (Arg == "-o" && I + 1 < At) {
      Output = Args[I + 1];
      Args[++I] = Assembly;
    } else if (Arg.starts_with("-o") && Arg.size() > 2) {
      Output = Arg.substr(2).str();
      Args[I] = "-o" + Assembly;
    }
  }
  if (Output.empty())
    return createStringError("-cuda makes one file: name one source, or the "
                             "output with -o");
  Args.insert(Args.begin() + At, {"-S", "-fno-integrated-as", "-fno-addrsig",
                                  "-fno-lto", "-Xarch_host", "-g0"});
  return Error::success();
}

Error HostSource::write() const {
  auto Text = MemoryBuffer::getFile(Assembly);
  if (!Text)
    return createStringError("cannot read '%s': %s", Assembly.c_str(),
                             Text.getError().message().c_str());
  std::string Mark = "echo";
  for (unsigned I = 0; (*Text)->getBuffer().contains(")" + Mark + "\""); ++I)
    Mark = "echo" + std::to_string(I);
  auto Write = [&](raw_ostream &OS) {
    OS << "asm(R\"" << Mark << "(\n"
       << (*Text)->getBuffer() << "\t.text\n)" << Mark << "\");\n";
    return Error::success();
  };
  if (Output != "-")
    return writeToOutput(Output, Write);
  return Write(outs());
}

} // namespace echo
