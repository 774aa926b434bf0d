"""What is a second here? A second of processor time: other work of the machine is not counted."""

import resource
import time


def processor_seconds():
    """Return the processor time in seconds of this process and of the children that it has waited for."""
    waited = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + waited.ru_utime + waited.ru_stime
