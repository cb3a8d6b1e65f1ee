import type { AnswerOf } from "@care/client"
import { Effect, Schedule } from "effect"
import type { SandboxClient } from "../SandboxClient.ts"

type Move = AnswerOf<"testClock.find">["data"]

/** Moves the clock of a sandbox to a time, in several moves if much is due until then. */
export const moveClock = Effect.fnUntraced(function* ({ call }: SandboxClient, to: Date) {
  const find = (id: string) =>
    Effect.map(
      call((care, signal) => care.testClock.find(id, { signal })),
      ({ data }) => data
    )
  const move = Effect.gen(function* () {
    const { data } = yield* call((care, signal) => care.testClock.advance({ to: to.toISOString() }, { signal }))
    const started: Move = "progress" in data ? data.progress : data.advance
    if (started.state !== "MOVING") return started
    return yield* Effect.repeat(find(started.id), {
      until: ({ state }) => state !== "MOVING",
      schedule: Schedule.spaced("1 second")
    })
  })
  yield* Effect.repeat(move, { until: ({ state }) => state === "DONE" })
})
