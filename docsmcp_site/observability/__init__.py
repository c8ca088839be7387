"""What operators are told of a running server: records, spans, metrics."""
