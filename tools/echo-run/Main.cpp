//===- Main.cpp - echo-run ------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of echo-run. Each subcommand has a file of its own.
//
//===----------------------------------------------------------------------===//
#include "Doctor.h"

#include <CLI/CLI.hpp>

int main(int Count, char **Words) {
  CLI::App App("Asks the machine what Echo would do on it.");
  App.set_version_flag("--version", "echo-run " ECHO_VERSION);
  App.require_subcommand(1);

  echo::DoctorOptions Doctor;
  CLI::App *DoctorCommand = App.add_subcommand(
      "doctor", "Says what device there is, what Echo does on it and why");
  DoctorCommand->add_option("--device", Doctor.Device, "which kind of device")
      ->check(CLI::IsMember({"cuda", "cpu"}))
      ->capture_default_str();
  CLI::Option *Probe = DoctorCommand->add_flag(
      "--probe", Doctor.Probe,
      "measure each kind of memory and write the device's profile");
  DoctorCommand
      ->add_option(
          "--most", Doctor.MostBytes,
          "largest buffer of the probes, such as 16MiB; default 64MiB, "
          "on the CPU device 4MiB")
      ->transform(CLI::AsSizeValue(false))
      ->needs(Probe);

  CLI11_PARSE(App, Count, Words);
  return echo::runDoctor(Doctor);
}
