// A library without build-id, whose only difference lies in its middle.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
extern "C" const unsigned char TableA[300000] = {1};
extern "C" int early() {
  volatile int answer = EARLY;
  return answer;
}
extern "C" unsigned char TableB[300000] = {2};
