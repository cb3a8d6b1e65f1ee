import type { BodyOf, Care } from "@care/client"
import { Effect, Schedule } from "effect"
import { ScenarioFailed, send } from "./ScenarioFailed.ts"

/** Moves the clock of a sandbox, in several moves if much is due on the way. Fails if it gets no further. */
export const advanceClock = Effect.fnUntraced(function* (care: Care, how: BodyOf<"testClock.advance">) {
  const find = (id: string) =>
    Effect.map(
      send((signal) => care.testClock.find(id, { signal })),
      ({ data }) => data
    )
  const move = Effect.fnUntraced(function* (next: BodyOf<"testClock.advance">) {
    const { data } = yield* send((signal) => care.testClock.advance(next, { signal }))
    const first = "progress" in data ? data.progress : data.advance
    if (first.state !== "MOVING") return first
    return yield* Effect.repeat(find(first.id), {
      until: ({ state }) => state !== "MOVING",
      schedule: Schedule.spaced("1 second")
    })
  })
  let moved = yield* move(how)
  while (moved.state === "STOPPED") {
    if (Date.parse(moved.reached) <= Date.parse(moved.from)) {
      return yield* new ScenarioFailed({
        message: `The clock of the sandbox stopped at ${moved.reached}. Try again later`
      })
    }
    moved = yield* move({ to: moved.target })
  }
})
