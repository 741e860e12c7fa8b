// The toolkit's version is one note of a command that links; -W flags reach every stage.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -### %s %S/Inputs/kernel.cu 2>&1 | grep -v '^ "' | FileCheck --check-prefix=%cuda_note --allow-empty %s
// RUN: %echo_cc -fsyntax-only %s %S/Inputs/kernel.cu 2>&1 | count 0
// RUN: %echo_cc -w -fsyntax-only %s 2>&1 | count 0
// RUN: %echo_cc -Wunused-variable -fsyntax-only %s 2>&1 | FileCheck --check-prefix=UNUSED %s
// RUN: not %echo_cc -Wunused-variable -Werror -c %s -o %t.o 2>&1 | FileCheck --check-prefix=WERROR %s
// RUN: %echo_cc -w -Wno-unused-command-line-argument -c %s -o %t.o -lfoo 2>&1 | count 0
// ONCE-NOT: Wunknown-cuda-version
// ONCE-COUNT-1: echo-cc: note: CUDA {{[0-9.]+}} is newer
// ONCE-NOT: is newer
// NONE-NOT: {{.}}
// UNUSED: warnings.cu:[[@LINE+3]]:{{[0-9]+}}: warning: unused variable 'x'
// WERROR: error: unused variable 'x'
__global__ void k() {
  int x;
}
