"""Coverage of the methods on simulated data like the user's.

`audit` draws samples from a population built from the user's data, applies the methods, and counts how often
their intervals and bands contain the true value. The other modules provide populations, samples and
evaluators; the distribution confroc-lab builds its coverage studies on them.
"""

from confroc.auditing.audit import Audit, Verdict, audit

__all__ = ["Audit", "Verdict", "audit"]
