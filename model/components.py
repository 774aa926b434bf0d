"""Which components does this project have? The kernel first; the others have no image of their own."""

from corollary.model.governance.component import GOVERNANCE
from corollary.model.handover.component import HANDOVER
from corollary.model.kernel.component import KERNEL
from corollary.model.link.component import LINK
from corollary.model.manager.component import MANAGER
from corollary.model.placement.component import PLACEMENT
from corollary.model.vectors.component import VECTORS

BESIDE = (PLACEMENT, LINK, MANAGER, HANDOVER, VECTORS, GOVERNANCE)
"""Those besides the kernel and the VM."""
ALL = (KERNEL, *BESIDE)
