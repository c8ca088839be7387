"""What operators learn about a running server: log records, spans, metrics."""
