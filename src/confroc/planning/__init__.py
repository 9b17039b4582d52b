"""Planning: power and sample size of studies of AUCs and rates."""

from confroc.planning.areas import auc_power, auc_sample_size
from confroc.planning.rates import rate_sample_size
from confroc.planning.study import Power

__all__ = ["Power", "auc_power", "auc_sample_size", "rate_sample_size"]
