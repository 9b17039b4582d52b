"""The area under the ROC curve: intervals, tests of two models, and comparison of several."""

import sys
from types import ModuleType
from typing import Any, NoReturn

from confroc.auc.comparison import auc_comparison
from confroc.auc.difference import auc_difference
from confroc.auc.interval import auc_interval


class _NotAFunction(ModuleType):
    """A module with the name of other libraries' function."""

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("`confroc.auc` is a module. Use `auc_interval`.")


sys.modules[__name__].__class__ = _NotAFunction
