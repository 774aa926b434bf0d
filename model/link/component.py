"""What is a link, as a component? Its counters, and the steps that change them."""

from corollary.language.component import Component
from corollary.model.link.numbers import accept, give, hold, settle, take, take_number
from corollary.spec.link import promises as promises
from corollary.spec.link.session import Link

LINK = Component(state=Link, operations=(take_number, accept, take, settle, hold, give))
