import { Layer } from "effect"
import { TestResetHandlers } from "./http.ts"
import { ResetWork } from "./ResetWork.ts"
import { SandboxResets } from "./SandboxResets.ts"

/** The resets of sandbox organizations. */
export const TestResetFeature = Layer.merge(
  TestResetHandlers.pipe(Layer.provide(SandboxResets.layer)),
  ResetWork.layerWorker
).pipe(Layer.provide(ResetWork.layer))
