"""What is a store of vectors, as a component? Its index, its search, and the steps that change them."""

from corollary.language.component import Component
from corollary.model.vectors import promises  # whoever asks for the component gets all of them
from corollary.model.vectors.index import adopt, begin, delete, open_as, put
from corollary.model.vectors.search import begin_search, conclude, look
from corollary.spec.vectors.state import Vectors

__all__ = ("VECTORS", "promises")

VECTORS = Component(state=Vectors, boot=begin, operations=(open_as, adopt, put, delete, begin_search, look, conclude))
