# PyTorch programs as their users write them: each frame goes to the GPU with .cuda() and
# the result comes back with .cpu(). They stand for prebuilt applications in what echo-run
# is measured with, and know nothing of Echo.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one network in a loop; prints the median time of a frame, the page faults in a frame, and a hash
of all results."""

import argparse
import hashlib
import resource
import statistics
import sys
import time

import torch
import torchvision


def fcn(generator):
    """Segmentation: FCN-ResNet50, one picture of 520 x 520 in half precision."""
    net = torchvision.models.segmentation.fcn_resnet50(weights=None, weights_backbone=None)
    return net.half(), torch.rand(1, 3, 520, 520, generator=generator).half(), \
        lambda out: out["out"].float()


def detect(generator):
    """Detection: the dense part of RetinaNet (ResNet-50 with feature pyramid), batch of 4."""
    net = torchvision.models.detection.retinanet_resnet50_fpn(weights=None, weights_backbone=None)

    class Dense(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.backbone, self.head = net.backbone, net.head

        def forward(self, pictures):
            found = self.head(list(self.backbone(pictures).values()))
            return torch.cat([found["cls_logits"], found["bbox_regression"]], dim=2)

    return Dense().half(), torch.rand(4, 3, 640, 640, generator=generator).half(), lambda out: out


def reid(generator):
    """Re-identification: features of 64 crops of 256 x 128 by ResNet-18."""
    net = torchvision.models.resnet18(weights=None)
    net.fc = torch.nn.Identity()
    return net, torch.rand(64, 3, 256, 128, generator=generator), lambda out: out


class PinnedDownload:
    """What .cpu() does, into one pinned buffer."""

    def __init__(self):
        self.buffer = None

    def __call__(self, result):
        if self.buffer is None:
            self.buffer = torch.empty(result.shape, dtype=result.dtype, pin_memory=True)
        self.buffer.copy_(result, non_blocking=True)
        torch.cuda.synchronize()
        return self.buffer


def main():
    nets = {f.__name__: f for f in (fcn, detect, reid)}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", choices=sorted(nets))
    parser.add_argument("--warmup", type=int, default=100, help="frames before (default: 100)")
    parser.add_argument("--frames", type=int, default=100, help="timed frames (default: 100)")
    parser.add_argument("--pinned", action="store_true", help="by hand: pinned buffers that are used again")
    options = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit("torch_loops: error: PyTorch sees no GPU")
    torch.manual_seed(1)
    torch.backends.cudnn.deterministic = True
    net, picture, result = nets[options.net](torch.Generator().manual_seed(2))
    net = net.cuda().eval()
    digest, times = hashlib.sha256(), []
    if options.pinned:
        picture, download = picture.pin_memory(), PinnedDownload()
    with torch.inference_mode():
        for frame in range(options.warmup + options.frames):
            if frame == options.warmup:
                faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
            picture.view(-1)[frame % picture.numel()] = frame % 7 / 8
            start = time.perf_counter()
            if options.pinned:
                scores = download(result(net(picture.cuda(non_blocking=True))))
            else:
                scores = result(net(picture.cuda())).cpu()
            times.append(time.perf_counter() - start)
            if frame % 20 == 0:
                digest.update(scores.numpy().tobytes())
            else:
                digest.update(scores.view(-1)[::4099].numpy().tobytes())
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults
    print(f"{options.net} frame_ms {statistics.median(times[options.warmup:]) * 1e3:.3f}"
          f" faults {faults / options.frames:.1f}", file=sys.stderr)
    print(f"{options.net} {digest.hexdigest()}")


if __name__ == "__main__":
    main()
