"""What is a second here? One of the processor: what else the machine does in the meantime is not counted."""

import resource
import time


def processor_seconds():
    """The time that this process, and those that it has waited for, spent on a processor."""
    waited = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + waited.ru_utime + waited.ru_stime
