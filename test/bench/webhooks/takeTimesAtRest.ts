import { performance } from "node:perf_hooks"
import { median } from "../median.ts"
import type { serveReceiver } from "./serveReceiver.ts"

const restSeconds = 1.1
const atRest = 20

/** Measures the time from the response to a change to the first attempt, one event at a time, with pauses. Returns the median in milliseconds. */
export const takeTimesAtRest = async (
  receiver: Awaited<ReturnType<typeof serveReceiver>>,
  send: () => Promise<void>
) => {
  const times: Array<number> = []
  for (let index = 0; index < atRest; index += 1) {
    await new Promise((resolve) => setTimeout(resolve, restSeconds * 1000))
    const before = receiver.count()
    await send()
    const answeredAt = performance.now()
    await receiver.reach(before + 1)
    times.push(Math.max(0, performance.now() - answeredAt))
  }
  return median(times)
}
