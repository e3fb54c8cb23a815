"""Benchmarks: each row is a figure beside a floor or a peer measured in the same run."""
