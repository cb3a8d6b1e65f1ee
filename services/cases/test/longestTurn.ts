import { Effect } from "effect"

/**
 * The longest that the event loop of this process was busy with one turn while an effect ran, in milliseconds of computing:
 * how long everybody else would have waited. The time of the clock would count what other processes of the machine took.
 */
export const longestTurn = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const watch = { longest: 0, isOver: false }
      let before = process.threadCpuUsage()
      // Each turn ends with those that are there. Without a hold on the loop, which would never rest for them.
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
