import { Data } from "effect"

/** Why the suite cannot start, as one sentence. */
export class StartFailed extends Data.TaggedError("StartFailed")<{
  readonly message: string
  /** True when only what the processes wrote says more. */
  readonly isInOutput?: boolean
}> {}
