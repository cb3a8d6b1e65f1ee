import { Data } from "effect"
import { ClockSkew } from "../identity/IdentityTokens.ts"

/** Another service did not answer in time, or answered 5xx (`status`). It is a defect in the caller, which answers 503. */
export class PeerUnavailable extends Data.TaggedError("PeerUnavailable")<{
  readonly peer: string
  readonly status?: number
  /** How many seconds the peer's clock is ahead of ours, by its answer. */
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
