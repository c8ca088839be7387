"""Measurements, run by hand: `make bench-…`. Figures and commands are kept in docs/benchmarks.md."""
