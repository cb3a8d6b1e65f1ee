import { Data } from "effect"

/** Why a process cannot start, as one sentence that says how to mend it. */
export class BootError extends Data.TaggedError("BootError")<{ readonly message: string }> {}
