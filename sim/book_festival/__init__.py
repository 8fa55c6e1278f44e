"""Book Festival. Policies may import what `view` and `state` name; the rest is the engine's."""
