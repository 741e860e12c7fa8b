# A script that computes with CUDA in a library: tools/frames.cu.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
words = [w.encode() for w in sys.argv[1:]]
sys.exit(library.frames(len(words), (ctypes.c_char_p * len(words))(*words)))
