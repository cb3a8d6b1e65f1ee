import { Data } from "effect"
import { ClockSkew } from "../identity/ClockSkew.ts"

/**
 * Another service of the suite did not answer, not in time, or with a failure of its own (`status`, 5xx). Dies in the
 * caller and is answered as 503.
 */
export class PeerUnavailable extends Data.TaggedError("PeerUnavailable")<{
  readonly peer: string
  readonly status?: number
  /** It says that its clock is so many seconds ahead of ours. */
  readonly skewSeconds?: number
  readonly cause?: unknown
}> {
  override get message(): string {
    if (this.skewSeconds !== undefined) {
      return `${this.peer} refused a call: ${new ClockSkew({ seconds: this.skewSeconds }).message}`
    }
    return this.status === undefined ? `${this.peer} did not answer` : `${this.peer} answered ${this.status}`
  }
}
