"""Queue disciplines: in which order waiting jobs are offered to the allocator."""
