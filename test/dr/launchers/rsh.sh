#!/bin/sh
# Stands for ssh: the command runs here, whatever the host's name, and is no child
# of a terminal. So mpirun starts its daemons as it does on other hosts.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
shift
exec setsid sh -c "$*"
