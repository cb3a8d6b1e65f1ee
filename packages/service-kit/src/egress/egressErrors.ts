import { Data } from "effect"

/** A URL was refused, and a retry does not help. `reason` quotes nothing of it. */
export class EgressRefused extends Data.TaggedError("EgressRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** A call to a URL failed. `reason` quotes nothing of the URL or of the answer. */
export class EgressFailed extends Data.TaggedError("EgressFailed")<{
  readonly reason: string
  readonly isRetryable: boolean
}> {
  override get message() {
    return this.reason
  }
}
