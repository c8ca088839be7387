"""Measurements, run by hand: `make bench-…`. Figures and commands are in docs/benchmarks.md, older ones in docs/benchmarks-history.md."""
