import { performance } from "node:perf_hooks"
import { quantile } from "../quantile.ts"

const tickMillis = 20

/** Times of the pieces of work in a part of a load, from when each was due to its end. */
interface LoadPart {
  readonly count: number
  readonly p50: number
  readonly p99: number
}

/**
 * Starts `work` so many times a second until it is stopped, whether earlier work has ended or not. `part` ends a part of the load and returns
 * its times; `stop` waits for what was started. Work that fails ends the process.
 */
export const startAtRate = (perSecond: number, work: () => Promise<void>) => {
  const startedAt = performance.now()
  const underWay = new Set<Promise<void>>()
  let times: Array<number> = []
  let started = 0

  const startOne = () => {
    const dueAt = startedAt + (started * 1000) / perSecond
    started += 1
    const running = work().then(() => {
      times.push(performance.now() - dueAt)
      underWay.delete(running)
    })
    underWay.add(running)
  }
  const timer = setInterval(() => {
    while (startedAt + (started * 1000) / perSecond <= performance.now()) startOne()
  }, tickMillis)

  return {
    part: (): LoadPart => {
      const part = { count: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
      times = []
      return part
    },
    stop: async () => {
      clearInterval(timer)
      await Promise.all(underWay)
    }
  }
}
