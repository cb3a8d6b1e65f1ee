import { Schema } from "effect"

/** A service refuses a step that a sandbox simulates, because it is impossible now. */
export class StepRefused extends Schema.TaggedError<StepRefused>()("StepRefused", {}) {}
