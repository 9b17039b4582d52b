"""Planning: power and sample size of studies of areas, of rates, and of any statistic."""

from confroc.planning.areas import auc_power, auc_sample_size
from confroc.planning.pilot import power, sample_size
from confroc.planning.rates import rate_sample_size
from confroc.planning.study import Power
