"""Coverage of the methods on data like the user's.

`audit` draws samples from a population made of the user's data, gives them to the methods, and counts how
often their intervals and bands contain the true value. The other modules are the populations, samples and
evaluators that it needs; the distribution confroc-lab builds its coverage studies on them.
"""

from confroc.auditing.audit import Audit, Verdict, audit

__all__ = ["Audit", "Verdict", "audit"]
