import { Data } from "effect"

/**
 * Another service of the suite did not answer, not in time, or with a failure of its own (`status`, 5xx). Dies in the
 * caller and is answered as 503.
 */
export class PeerUnavailable extends Data.TaggedError("PeerUnavailable")<{
  readonly peer: string
  readonly status?: number
  readonly cause?: unknown
}> {
  override get message(): string {
    return this.status === undefined ? `${this.peer} did not answer` : `${this.peer} answered ${this.status}`
  }
}
