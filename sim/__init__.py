"""The simulator: from rules and policies to sums, without policies' files or reports.

    rules.load("debrium", sets=["mining_king_bonus=10"])   a variant, every number with its provenance
    policies.load(game, "prospector")                      source text and parameters
    batch.Batch(game, rules, LineUp(pool, "shuffled"), seed)   all that determines results
    run.play(batch, games)                                 blocks on threads -> blocks.Totals, exact sums
    design.make_design(rules, line_ups, varies, ...)       cells: what is varied
    sweep.Sweep(batches, Goal(games)).play(workers)        cells over common blocks, to a goal
    workers.Threads / cluster.Cluster                      who plays: this process, or a Dask scheduler's workers
    precision.estimate(sums, games)                        a value with its interval
    played.played(batch, totals)                           a result with all that it rests on
    store.Writer / store.read                              a run on disk, to go on with
    sweep_folder.cell_folders / read_sweep, merge.merge    a sweep on disk, to extend; runs of several seeds as one
    replay.replay(batch, index)                            one game as events

A game is a folder here (`debrium/`) that fills the contract of `game.py`. Its engine is plain scalar code that
reads like the rule book; `kernel.py` compiles it into the loop that plays and counts block after block.
"""
