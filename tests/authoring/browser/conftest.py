"""One JupyterLab and one browser for all tests in this folder."""

from tests.authoring.browser import jupyterlab as jupyterlab
