# A PyTorch program of several processes, as torchrun starts them: each rank works on the GPU
# with .cuda() in and .cpu() out, and the ranks add up their results on the host. It stands for
# a prebuilt application and knows nothing of Echo.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a hash of all results (rank 0), and to standard error the median round of each rank."""

import argparse
import hashlib
import statistics
import sys
import time

import torch
import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=120)
    parser.add_argument("--size", type=int, default=2048, help="of the square matrices (default: 2048)")
    options = parser.parse_args()
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.cuda.set_device(rank % torch.cuda.device_count())
    a = torch.rand(options.size, options.size, generator=torch.Generator().manual_seed(rank))
    b = torch.rand(options.size, options.size, generator=torch.Generator().manual_seed(7)).cuda()
    digest, times = hashlib.sha256(), []
    with torch.inference_mode():
        for i in range(options.rounds):
            a[i % options.size, 0] = i % 7 / 8
            start = time.perf_counter()
            c = torch.mm(a.cuda(), b).cpu()
            times.append(time.perf_counter() - start)
            sums = c[::61, ::61].double().contiguous()
            dist.all_reduce(sums)
            digest.update(sums.numpy().tobytes())
    print(f"rank {rank} round_ms {statistics.median(times[len(times) // 2:]) * 1e3:.3f}", file=sys.stderr)
    if rank == 0:
        print(f"ranks {dist.get_world_size()} {digest.hexdigest()}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
