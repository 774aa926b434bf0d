"""How is a page made? It is a template: it takes what the code knows from there, and its examples are judged.

`python -m mkdocs build` calls the functions here.
"""

import jinja2

from docs import examples, formats, values

ENVIRONMENT = jinja2.Environment(
    undefined=jinja2.StrictUndefined, block_start_string="{{%", comment_start_string="{{#", keep_trailing_newline=True
)
ENVIRONMENT.globals.update(values.PAGE | formats.PAGE)


def on_page_markdown(markdown, page, config, files):
    """Return the text of a page with everything filled in."""
    return filled(markdown)


def filled(text):
    """Return the text of a template, filled in, with what is said of its examples."""
    return ENVIRONMENT.from_string(examples.explained(text)).render()
