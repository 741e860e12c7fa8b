# The paper's prebuilt pipelines as users of PyTorch write them: a video's frames are made
# ready on the host, go to the GPU with .cuda(), and what comes back with .cpu() is worked
# up on the host. They know nothing of Echo.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""E1 detects objects in four frames at a time, E2 follows the objects of a frame. `e1` and `e2` give a function that works
on the frame of a number and returns what it found; its `region` has the times of the GPU's part."""

import time

import cv2
import numpy
import scipy.optimize
import torch
import torchvision


class Video:
    """Frames of 1280 x 720 with objects that move over a still background."""
    width, height = 1280, 720

    def __init__(self, objects):
        generator = numpy.random.default_rng(4)
        self.background = generator.integers(0, 160, (self.height, self.width, 3), dtype=numpy.uint8)
        self.objects = [(generator.integers(0, (self.width, self.height)), generator.integers(-4, 5, 2),
                         generator.integers(24, 64), generator.integers(0, 255, 3)) for _ in range(objects)]

    def __getitem__(self, number):
        """The frame, and its objects' rectangles (x, y, width, height)."""
        frame, boxes = self.background.copy(), []
        for start, speed, width, color in self.objects:
            x, y = (start + number * speed) % (self.width - width, self.height - 2 * width)
            frame[y:y + 2 * width, x:x + width] = color
            cv2.circle(frame, (int(x + width // 2), int(y + width // 2)), int(width // 3), (90, 150, 210), -1)
            boxes.append((x, y, width, 2 * width))
        return frame, boxes


def letterbox(frame, side):
    """The whole frame in a square, grey at the edges."""
    height = round(side * frame.shape[0] / frame.shape[1])
    edge = (side - height) // 2
    small = cv2.resize(frame, (side, height), interpolation=cv2.INTER_LINEAR)
    return cv2.copyMakeBorder(small, edge, side - height - edge, 0, 0, cv2.BORDER_CONSTANT, value=(114, 114, 114))


def planes(pictures):
    """Blue, green and red bytes of pictures as planes red, green and blue from 0 to 1."""
    spread = numpy.stack(pictures)[..., ::-1].transpose(0, 3, 1, 2)
    return torch.from_numpy(numpy.ascontiguousarray(spread, dtype=numpy.float32) / 255)


class Dense(torch.nn.Module):
    """FCOS without what comes after its heads: classes, boxes and centres of all places in one tensor."""

    def __init__(self, net):
        super().__init__()
        self.backbone, self.head = net.backbone, net.head

    def forward(self, pictures):
        found = self.head(list(self.backbone(pictures).values()))
        return torch.cat([found["cls_logits"], found["bbox_regression"], found["bbox_ctrness"]], dim=2)


def places(side):
    """The centre of each place that FCOS predicts from, and its stride."""
    found = []
    for stride in (8, 16, 32, 64, 128):
        count = -(-side // stride)
        y, x = torch.meshgrid(*[(torch.arange(count) + 0.5) * stride] * 2, indexing="ij")
        found.append(torch.stack([x.flatten(), y.flatten(), torch.full((count * count,), float(stride))], dim=1))
    return torch.cat(found)


def best_boxes(predictions, where):
    """The boxes of one picture that are kept: corners, score and class, best first."""
    scores, classes = (predictions[:, :-5].sigmoid() * predictions[:, -1:].sigmoid()).sqrt().max(dim=1)
    scores, order = scores.topk(300)
    classes, reach, centre = classes[order], predictions[order, -5:-1].relu(), where[order]
    reach = reach * centre[:, 2:]
    boxes = torch.cat([centre[:, :2] - reach[:, :2], centre[:, :2] + reach[:, 2:]], dim=1)
    kept = torchvision.ops.batched_nms(boxes, scores, classes, 0.5)
    return torch.cat([boxes[kept], scores[kept, None], classes[kept, None].float()], dim=1)


class Region:
    """Times the GPU's part of a frame: batch up, network, result down."""

    def __init__(self):
        self.times = []

    def __enter__(self):
        self.start = time.perf_counter()

    def __exit__(self, *_):
        self.times.append(time.perf_counter() - self.start)


class Upload:
    """.cuda(), or by hand: through one pinned buffer."""

    def __init__(self, pinned):
        self.pinned, self.buffer = pinned, None

    def __call__(self, batch):
        if not self.pinned:
            return batch.cuda()
        if self.buffer is None:
            self.buffer = torch.empty(batch.shape, dtype=batch.dtype, pin_memory=True)
        self.buffer.copy_(batch)
        return self.buffer.cuda(non_blocking=True)


def e1(download, pinned, side=640, batch=4):
    """Detection: FCOS with ResNet-50 on four frames of a video."""
    net = torchvision.models.detection.fcos_resnet50_fpn(weights=None, weights_backbone=None)
    net, video, where, upload = Dense(net).cuda().eval(), Video(12), places(side), Upload(pinned)
    region = Region()

    def frame(number):
        pictures = [letterbox(video[number * batch + i][0], side) for i in range(batch)]
        with torch.inference_mode():
            pictures = planes(pictures)
            with region:
                predictions = download(net(upload(pictures)))
            return torch.cat([best_boxes(one, where) for one in predictions])
    frame.region = region
    return frame


def e2(download, pinned, objects=64):
    """Features of all objects of a frame, as DeepSORT takes them, assigned to those of the frames before."""
    net, video, upload = torchvision.models.resnet18(weights=None), Video(objects), Upload(pinned)
    net.fc = torch.nn.Identity()
    net.cuda().eval()
    known, region = [], Region()

    def frame(number):
        picture, boxes = video[number]
        crops = [cv2.resize(picture[y:y + h, x:x + w], (64, 128), interpolation=cv2.INTER_LINEAR) for x, y, w, h in boxes]
        with torch.inference_mode():
            crops = planes(crops)
            with region:
                features = download(net(upload(crops)))
            features = torch.nn.functional.normalize(features, dim=1)
            if not known:
                known.append(features.clone())
            distance = 1 - features @ known[0].T
            found, assigned = scipy.optimize.linear_sum_assignment(distance.numpy())
            known[0][assigned] = torch.nn.functional.normalize(known[0][assigned] * 0.9 + features[found] * 0.1, dim=1)
            return torch.stack([distance[found, assigned], torch.from_numpy(assigned).float()])
    frame.region = region
    return frame
