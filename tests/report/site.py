"""What is on the pages of a site? Their places and links are read from the files."""

from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
"""What a browser fetches by itself: the attribute that says where from, by tag."""


class Page(HTMLParser):
    """A page as it was written: its text, its places, where it leads, and what a browser fetches for it."""

    def __init__(self, path):
        super().__init__()
        self.path, self.text, self.places, self.links, self.fetched = path, path.read_text(), {""}, [], []
        self.feed(self.text)

    def handle_starttag(self, tag, attrs):
        """Note what a tag names or leads to."""
        given = dict(attrs)
        self.places.add(given.get("id") or "")
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if given.get(FETCHED.get(tag)):
            self.fetched.append(given[FETCHED[tag]])

    def targets(self):
        """Yield for each link within the site the file that it leads to, and the place there."""
        for link in self.links:
            found = urlsplit(link)
            if not found.scheme:
                yield self.leads(found.path), unquote(found.fragment)

    def files(self):
        """Yield the files that a browser fetches. Raises `ValueError` if anything is to come from a network."""
        for link in self.fetched:
            if urlsplit(link).scheme or urlsplit(link).netloc:
                raise ValueError(f"{self.path.name} fetches {link}")
            yield self.leads(urlsplit(link).path)

    def leads(self, path):
        """Return the file to which a path on the page leads; an empty one leads to the page itself."""
        return (self.path.parent / unquote(path)).resolve() if path else self.path.resolve()


def pages(folder):
    """Return every page below a folder, by its path."""
    return {path.resolve(): Page(path) for path in folder.rglob("*.html")}


def broken(found):
    """Return each link within a site that leads to no page or to no place, as `(name of the page, file, place)`."""
    return [
        (path.name, target.name, place)
        for path, page in found.items()
        for target, place in page.targets()
        if target not in found or place not in found[target].places
    ]
