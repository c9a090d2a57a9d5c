"""Starting early: a kernel begins while the one before it is still at work (Hopper and later).

Every kernel of such a chain says at once that the next may begin, loads what no kernel of the chain
writes, and waits for the one before. Since that one waited likewise, all before it have ended.
"""

# Triton's language has no types; a kernel's arguments are its pointers and constants.
# ruff: noqa: ANN001, ANN201, ANN202, N803
# pyright: basic
# pyright: reportAttributeAccessIssue=false, reportArgumentType=false, reportIndexIssue=false
# pyright: reportOperatorIssue=false, reportCallIssue=false, reportGeneralTypeIssues=false
# pyright: reportAssignmentType=false

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def let_next_begin(EARLY: tl.constexpr):
    """Say that the next kernel may begin."""
    if EARLY:
        tl.extra.cuda.gdc_launch_dependents()


@triton.jit
def await_before(EARLY: tl.constexpr):
    """Wait until the kernel before has ended and what it wrote can be read."""
    if EARLY:
        tl.extra.cuda.gdc_wait()
