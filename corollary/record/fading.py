"""How much does an edge weigh? What it carried, of which each epoch takes a twentieth away.

The kernel only counts; fading is for its readers. A weight is a number of traffic units in fixed point. It keeps the
value of its last addition, and how much of that is left is computed from there, never from an earlier answer. So it
does not matter how often a weight is looked at, and it becomes zero just when it is worth less than the smallest
number there is.
"""

from dataclasses import dataclass

FRACTION_BITS = 16
KEPT, OF = 19, 20  # what each epoch leaves: 95 %
HALVED = 14  # after so many epochs less than half is left: (19 / 20)^14 < 1 / 2


def faded(value, epochs):
    """Return what is left of a number after so many epochs, rounded down once; both are 0 or more."""
    if epochs >= HALVED * value.bit_length():  # so nothing is: spare the long division
        return 0 if epochs else value
    return value * KEPT**epochs // OF**epochs


@dataclass(frozen=True)
class Weight:
    """A number of units with `FRACTION_BITS` bits of fraction, as it was in an epoch."""

    value: int = 0
    epoch: int = 0

    def at(self, epoch):
        """Return the value in an epoch, in units of 2^-16; in an epoch before its own it is not faded yet."""
        return faded(self.value, max(0, epoch - self.epoch))

    def plus(self, units, epoch):
        """Return the weight with more units, as of an epoch that is no earlier than its own."""
        return Weight(self.at(epoch) + (units << FRACTION_BITS), epoch)


def units(value):
    """Return a value in fixed point as a number of units."""
    return value / (1 << FRACTION_BITS)
