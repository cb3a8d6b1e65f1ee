import { Data } from "effect"

/** Another service of the suite did not answer, or not in time. Dies in the caller and is answered as 503. */
export class PeerUnavailable extends Data.TaggedError("PeerUnavailable")<{
  readonly peer: string
  readonly cause?: unknown
}> {}
