"""The peer: the least that Django REST framework can do for a request that writes."""
