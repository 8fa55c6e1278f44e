"""The simulator: from rules and policies to sums, without policies' files or reports.

    rules.load("debrium", sets=["mining_king_bonus=10"])   a variant, every number with its provenance
    policies.load(game, "prospector")                      source text and parameters
    batch.Batch(game, rules, LineUp(pool, "shuffled"), seed)   all that determines results
    batch.play(batch, games)                               blocks on threads -> blocks.Totals, exact sums
    workers.Threads / cluster.Cluster                      who plays them: threads here, workers of a Dask scheduler
    precision.estimate(sums, games)                        a value with its interval
    store.Writer / store.read                              a run on disk
    replay.replay(batch, index)                            one game as events

A game is a folder here (`debrium/`) that fills the contract of `game.py`. Its engine is plain scalar code that
reads like the rule book; `kernel.py` compiles it into the loop that plays and counts block after block.
"""
