import { Effect, Layer } from "effect"
import { Audit as Recording } from "../../../packages/service-kit/src/audit/Audit.ts"

/**
 * In the place of the audit, in the program of cases that `withSwitchedAudit` builds: each SIGUSR2 switches the recording of reads
 * off, and on again.
 */
export const Audit = {
  layer: Layer.effect(
    Recording,
    Effect.gen(function* () {
      const recording = yield* Recording
      let isOn = true
      process.on("SIGUSR2", () => {
        isOn = !isOn
      })
      return Recording.of({ ...recording, read: (...records) => (isOn ? recording.read(...records) : Effect.void) })
    })
  ).pipe(Layer.provide(Recording.layer))
}
