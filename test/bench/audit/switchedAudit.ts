import { Effect, Layer } from "effect"
import { Audit as Recording } from "../../../packages/audit/src/Audit.ts"
import { waysToRead } from "./waysToRead.ts"

// As a read that is recorded: it is answered when the turn of the event loop ends, with those beside it.
const endOfTurn = Effect.callback<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/**
 * In the place of the audit, in the program of cases that `withSwitchedAudit` builds: each SIGUSR2 switches to the next of
 * `waysToRead`.
 */
export const Audit = {
  layer: Layer.effect(
    Recording,
    Effect.gen(function* () {
      const recording = yield* Recording
      let turn = 0
      process.on("SIGUSR2", () => {
        turn += 1
      })
      const read: typeof recording.read = (...records) => {
        const way = waysToRead[turn % waysToRead.length]
        if (way === "recorded") return recording.read(...records)
        return way === "not recorded" ? endOfTurn : Effect.void
      }
      return Recording.of({ ...recording, read })
    })
  ).pipe(Layer.provide(Recording.layer))
}
