import { Effect } from "effect"

/**
 * Runs an effect, and returns its result with the longest turn of this process's event loop meanwhile, in milliseconds of CPU time, which
 * is how long other requests would have waited. Wall-clock time would count the work of other processes.
 */
export const longestTurn = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const watch = { longest: 0, isOver: false }
      let before = process.threadCpuUsage()
      // Runs at the end of each turn. `unref` lets the event loop end.
      const turn = () => {
        const { system, user } = process.threadCpuUsage(before)
        watch.longest = Math.max(watch.longest, (system + user) / 1000)
        before = process.threadCpuUsage()
        if (!watch.isOver) setImmediate(turn).unref()
      }
      setImmediate(turn).unref()
      return watch
    }),
    (watch) => Effect.map(effect, (result) => ({ result, millis: watch.longest })),
    (watch) =>
      Effect.sync(() => {
        watch.isOver = true
      })
  )
