// Echo's options are taken out of the line in both spellings.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -### -w -c %s --report=%t.txt --report-json %t.json --no-unify --min-bytes=64K 2>&1 | FileCheck --check-prefix=ALL %s
// RUN: env ECHO_REPORT=%t.txt ECHO_NO_UNIFY=1 ECHO_MIN_BYTES=65536 %echo_cc -### -w -c %s 2>&1 | FileCheck --check-prefix=ENV %s
// RUN: %echo_cc -### -w -c %s 2>&1 | FileCheck --check-prefix=DEFAULT %s
// RUN: %echo_cc -### -w -c %s -fgpu-default-stream=per-thread 2>&1 | FileCheck --check-prefix=STREAM %s
// RUN: %echo_cc -### -w -c %s --report=%t.txt --estimate 2>&1 | FileCheck --check-prefix=ESTIMATE %s
// RUN: echo 'copy H2D 1 1' > %t.rates && echo 'copy H2D 2 2' >> %t.rates && sed 's/H2D/D2H/' %t.rates > %t.down && cat %t.down >> %t.rates
// RUN: %echo_cc -### -w -c %s --report=%t.txt --estimate=%t.rates 2>&1 | FileCheck --check-prefix=RATES %s
// RUN: %echo_cc -w --report %t.none -c %S/Inputs/plain.c -o %t.o 2>&1 | count 0
// ALL: "--echo-report={{[^"]*}}.txt" "--echo-report-json={{[^"]*}}.json"
// ALL-SAME: "--echo-min-bytes=65536" "--echo-unify=0"
// ENV: "--echo-report={{[^"]*}}.txt"
// ENV-SAME: "--echo-min-bytes=65536" "--echo-unify=0"
// DEFAULT: "--echo-source=
// DEFAULT-NOT: "--echo-{{report|unify|min-bytes|per-thread-stream|estimate|rates|assume}}
// ESTIMATE: "--echo-estimate=1"
// ESTIMATE-NOT: "--echo-rates
// RATES: "--echo-estimate=1" "--echo-rates={{[^"]*}}.rates"
// STREAM: "--echo-per-thread-stream=1"
__global__ void k() {}
