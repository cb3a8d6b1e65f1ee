import { Data } from "effect"
import type { IdentityRefusal } from "../identity/IdentityTokens.ts"

/** Another service did not answer in time, or answered 5xx (`status`). It is a defect in the caller, which answers 503. */
export class PeerUnavailable extends Data.TaggedError("PeerUnavailable")<{
  readonly peer: string
  readonly status?: number
  /** Why the peer refuses our calls, by its answer. */
  readonly refusal?: IdentityRefusal | undefined
  readonly cause?: unknown
}> {
  override get message(): string {
    if (this.refusal !== undefined) return `${this.peer} refused a call: ${this.refusal.message}`
    return this.status === undefined ? `${this.peer} did not answer` : `${this.peer} answered ${this.status}`
  }
}

/** A third party was not called, because there is no account at it. It is a defect, answered like an absent peer. */
export class AccountMissing extends Data.TaggedError("AccountMissing")<{ readonly setting: string }> {
  override get message(): string {
    return `${this.setting} is not set`
  }
}
