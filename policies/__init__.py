"""Policies: one file each, found by name or by path, with what a policy file may use from here.

A policy is a file with functions named after its game's decisions. There is no base class, no decorator
and no registration: `policies/debrium/prospector.py` is the policy `prospector` of Debrium, and a path on
the command line works the same.
"""

from policies.catalogue import MIXED, entry, is_drawn, load, load_file, names, param_of, pool, with_params
from sim.policy import Param

__all__ = ["MIXED", "Param", "entry", "is_drawn", "load", "load_file", "names", "param_of", "pool", "with_params"]
