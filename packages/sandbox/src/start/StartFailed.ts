import { Data } from "effect"

/** Why the suite cannot start or go on, as one sentence. */
export class StartFailed extends Data.TaggedError("StartFailed")<{ readonly message: string }> {}
