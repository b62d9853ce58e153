"""Sphinx settings of the site that tools/site/build builds, with MyST, Breathe and Furo."""

import os

project = "Facet"
author = "the Facet developers"
project_copyright = author
release = os.environ["FACET_VERSION"]

extensions = ["myst_parser", "breathe", "sphinx_copybutton"]
root_doc = "index"
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
myst_enable_extensions = ["deflist", "html_image"]
breathe_projects = {"facet": os.environ["FACET_DOXYGEN"]}
breathe_default_project = "facet"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False
primary_domain = "c"
highlight_language = "none"
pygments_style = "xcode"
pygments_dark_style = "github-dark"
copybutton_prompt_text = "$ "

html_theme = "furo"
smartquotes = False  # would turn the -- of an option into a dash
html_title = f"Facet {release}"
html_static_path = ["static"]
html_css_files = ["facet.css"]
html_search_scorer = os.path.join(os.path.dirname(__file__), "scorer.js")
html_show_sphinx = False
html_copy_source = False
# Unknown anchors and missing pictures are warnings, and -W turns warnings into errors.
nitpicky = False
suppress_warnings = ["myst.header"]
