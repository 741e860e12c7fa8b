# Completion of echo-cc's own options in fish; written by scripts/generate-docs from Options.def.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
complete -c echo-cc -l report -r -d 'write what was decided about each pair: text, or by FILE\'s ending .html or .sarif; -: standard output'
complete -c echo-cc -l report-json -r -d 'the same for programs'
complete -c echo-cc -l no-unify -d 'report only, merge nothing'
complete -c echo-cc -l check -d 'merge nothing; the program tells which pairs its run refutes (CPU device)'
complete -c echo-cc -l repair -d 'add a wait where one, that runs no more often than the copies, lets a pair merge'
complete -c echo-cc -l unify-wrapped -d 'merge though --wrap asks for calls that merged pairs leave out'
complete -c echo-cc -l min-bytes -x -d 'skip smaller pairs (default 200K)'
complete -c echo-cc -l model -r -d 'describe functions whose bodies are not visible'
complete -c echo-cc -l device -x -a 'cpu cuda' -d 'compile kernels for the CPU or the GPU (default)'
complete -c echo-cc -l print-link-flags -d 'print what lets g++ and others link as echo-cc does'
complete -c echo-cc -l report-of -r -d 'print the reports that an object, archive or program carries, compiled with --report'
complete -c echo-cc -l explain -x -d 'explain a reason of a report; list: name all'
