"""What people paste into their clients and projects."""
