#!/bin/sh
# Starts its arguments twice, as launchers of MPI programs do: each process has
# its number in the environment and a session of its own, and the launcher's end
# is theirs. Ends with the first status that is not 0.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
PMI_RANK=0 MPI_LOCALRANKID=0 PMI_SIZE=2 setsid "$@" &
first=$!
PMI_RANK=1 MPI_LOCALRANKID=1 PMI_SIZE=2 setsid "$@" &
second=$!
trap 'kill $first $second' INT TERM
wait $first
status=$?
wait $second
other=$?
test $status -ne 0 && exit $status
exit $other
