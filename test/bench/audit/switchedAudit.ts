import { Effect, Layer } from "effect"
import { Audit as Recording } from "../../../packages/audit/src/Audit.ts"
import { waysToRead } from "./waysToRead.ts"

// Answers a read like a recorded one: at the end of the turn of the event loop, together with others.
const endOfTurn = Effect.callback<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Replaces the audit in the program that `withSwitchedAudit` builds. Each SIGUSR2 switches to the next of `waysToRead`. */
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
