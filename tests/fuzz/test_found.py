"""Calls that a fuzz has found to end neither in a sound result nor in a clear refusal."""

from __future__ import annotations

from pathlib import Path

import hostile
import pytest

FOUND = r"""
BinormalModel.from_auc(1e-12, b=np.ma.masked_array(0.2, True))
binormal_threshold(np.array([0.25, 0.5]), mean_pos=1.0, sd_pos=1.8356021956073443e-119)
binormal_threshold(np.array([0.25, 0.5]), mean_pos=1e-320, sd_pos=0.05, sd_neg=0.05)
expected_cost(sample(3,4), false_negative=0.7, false_positive=pd.Series([0.2, 0.4], index=[7, 7]))
auc_sample_size(0.6, ratio=1e+308, model_b=0.7, method='asymptotic')
joint_threshold_pmf(UnpairedScores(sample(30, 40), sample(20, 10, 3)), fpr=[0.1, [0.2]], size=(1, 1))
report(Scores([0, 0, 1, 1], [1, 2, 3, 4]), path=FILES + '/no/new.html', false_negative=0.05, false_positive=1e+308)
expected_cost_difference(UnpairedScores(sample(3, 4), sample(5, 6)), false_negative=2.0, false_positive=1e+308)
ScoreStream.even(0.3, np.ma.masked_array(0.2, True), nan_policy='omit')
expected_cost(sample(3, 4), false_negative=0.3, false_positive=0.3, prior=[0.1, [0.2]], threshold=0.3)
read_segments("SELECT * FROM '" + FILES + "/a.csv'", label='label', scores=sample(30, 40), segment_files=np.array([None, 0.2]))
roc_band(sample(3,4), method=np.array([(1, 2.0)], 'i4,f8'), fpr=0.07)
roc_difference_band(UnpairedScores(sample(3, 4), sample(5, 6)), method='ks_regions', fpr=[0.1, [0.2]])
write_counts(sample(30, 40), path=FILES + '/no/new.parquet', positive='x', force=np.array([None, 0.2]))
auc_forecast(sample(5, 9), jeffreys=1e177)
forecast_curve(sample(5, 9), radius=1.7e308, divergence='jeffreys')
forecast_curve(sample(5, 9), radius=1e6, divergence='jeffreys')
auc_forecast(sample(5, 9), jeffreys=1e6)
"""


@pytest.mark.parametrize("call", FOUND.strip().splitlines())
def test_a_call_once_found_wanting(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_text("label,s,part\n1,0.5,1\n0,0.25,2\n")
    monkeypatch.setitem(hostile.SPACE, "FILES", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert hostile.verdict(call) is None
