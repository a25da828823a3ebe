"""Sends the requests that a Python application serves, with their responses, to Vigil.

The application keeps its streams, its timing and its errors: what cannot be sent is dropped and counted.
"""

from .client import Vigil

__all__ = ["Vigil"]
