# PyTorch programs as their users write them: each frame goes to the GPU with .cuda() and
# the result comes back with .cpu(). They stand for prebuilt applications in what echo-run
# is measured with, and know nothing of Echo.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one network, or its training, in a loop; prints the median time of a frame and of its part on the GPU, the page
faults in a frame, and a hash of all results."""

import argparse
import hashlib
import resource
import statistics
import sys
import time

import torch
import torch.utils.data
import torchvision

import torch_pipelines


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


def inference(net, picture, result, pinned):
    """A frame of a network: the picture up, the result down."""
    net = net.cuda().eval()
    download = PinnedDownload() if pinned else None
    picture = picture.pin_memory() if pinned else picture

    def frame(number):
        picture.view(-1)[number % picture.numel()] = number % 7 / 8
        with torch.inference_mode():
            if pinned:
                return download(result(net(picture.cuda(non_blocking=True))))
            return result(net(picture.cuda())).cpu()
    return frame


class Samples(torch.utils.data.Dataset):
    """Generated pictures of 64 x 64 with a class each."""

    def __len__(self):
        return 1 << 20

    def __getitem__(self, number):
        picture = torch.full((3, 64, 64), number % 13 / 13.0)
        picture[number % 3] += torch.linspace(0, 1, 64)
        return picture, number % 10


def train(pinned):
    """A step of training a small ResNet on batches of 128 from two forked workers: batch up, loss down."""
    net = torchvision.models.resnet18(weights=None, num_classes=10).cuda().train()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    batches = iter(torch.utils.data.DataLoader(Samples(), batch_size=128, num_workers=2, pin_memory=pinned,
                                               multiprocessing_context="fork"))

    def frame(_):
        pictures, classes = next(batches)
        pictures, classes = pictures.cuda(non_blocking=pinned), classes.cuda(non_blocking=pinned)
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(pictures), classes)
        loss.backward()
        optimizer.step()
        return loss.detach().view(1).cpu()
    return frame


def graph(pinned):
    """A captured graph of a network of four layers: a batch of 4096 x 1024 up, as many numbers down."""
    layers = [torch.nn.Sequential(torch.nn.Linear(1024, 1024), torch.nn.ReLU()) for _ in range(4)]
    net = torch.nn.Sequential(*layers).cuda().eval()
    batch = torch.rand(4096, 1024, generator=torch.Generator().manual_seed(3))
    batch, download = (batch.pin_memory(), PinnedDownload()) if pinned else (batch, None)
    there, side = torch.zeros(4096, 1024, device="cuda"), torch.cuda.Stream()
    captured = torch.cuda.CUDAGraph()
    with torch.no_grad():
        with torch.cuda.stream(side):
            net(there)
        torch.cuda.synchronize()
        with torch.cuda.graph(captured):
            out = net(there)

    def frame(number):
        batch.view(-1)[number % batch.numel()] = number % 7 / 8
        there.copy_(batch, non_blocking=pinned)
        captured.replay()
        return download(out) if pinned else out.cpu()
    return frame


def plain_download(result):
    return result.cpu()


def pipeline(make):
    """A whole pipeline: a video's frames in, what was found in them out."""
    return lambda pinned: make(PinnedDownload() if pinned else plain_download, pinned)


def main():
    nets = {f.__name__: f for f in (fcn, detect, reid)}
    loops = {"train": train, "graph": graph, "e1": pipeline(torch_pipelines.e1), "e2": pipeline(torch_pipelines.e2)}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", choices=sorted([*nets, *loops]))
    parser.add_argument("--warmup", type=int, default=100, help="frames before (default: 100)")
    parser.add_argument("--frames", type=int, default=100, help="timed frames (default: 100)")
    parser.add_argument("--pinned", action="store_true", help="by hand: pinned buffers that are used again")
    options = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit("torch_loops: error: PyTorch sees no GPU")
    torch.manual_seed(1)
    torch.backends.cudnn.deterministic = True
    if options.net in loops:
        frame = loops[options.net](options.pinned)
    else:
        frame = inference(*nets[options.net](torch.Generator().manual_seed(2)), options.pinned)
    digest, times = hashlib.sha256(), []
    for number in range(options.warmup + options.frames):
        if number == options.warmup:
            faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
            print("bench: timed", file=sys.stderr, flush=True)  # for who measures energy
        start = time.perf_counter()
        scores = frame(number)
        times.append(time.perf_counter() - start)
        if number % 20 == 0:
            digest.update(scores.numpy().tobytes())
        else:
            digest.update(scores.view(-1)[::4099].numpy().tobytes())
    print("bench: done", file=sys.stderr, flush=True)
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults
    regions = frame.region.times if hasattr(frame, "region") else times
    numbers = [statistics.median(kind[options.warmup:]) * 1e3 for kind in (times, regions)]
    # One word, as echo-run compares words: it leaves out those that differ between plain runs, and the time does.
    print(f"{options.net} frame_ms:region_ms:faults {numbers[0]:.3f}:{numbers[1]:.3f}:{faults / options.frames:.1f}",
          file=sys.stderr)
    print(f"{options.net} {digest.hexdigest()}")


if __name__ == "__main__":
    main()
