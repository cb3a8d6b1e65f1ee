import { Layer } from "effect"
import { ClockMoves } from "./ClockMoves.ts"
import { TestClockHandlers } from "./http.ts"
import { SandboxClocks } from "./SandboxClocks.ts"

/** The clocks of sandbox organizations, and their moves. */
export const TestClockFeature = Layer.merge(
  TestClockHandlers.pipe(Layer.provide(SandboxClocks.layer)),
  ClockMoves.layerWorker
).pipe(Layer.provide(ClockMoves.layer))
