"""What torch finds on this machine, for the doctor. Imports torch, which takes seconds."""

from __future__ import annotations

from model.api import TorchFacts


def torch_facts() -> TorchFacts:
    """Version, CUDA build and device of the installed torch."""
    import torch

    has_cuda = torch.cuda.is_available()
    return TorchFacts(
        version=str(torch.__version__),
        cuda_build=torch.version.cuda or "",
        device=torch.cuda.get_device_name() if has_cuda else "cpu",
        has_bf16=torch.cuda.is_bf16_supported() if has_cuda else False,
    )
