import { Data } from "effect"

/** A URL that is not fetched; trying again does not help. `reason` quotes nothing of it. */
export class EgressRefused extends Data.TaggedError("EgressRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** A URL that could not be fetched. `reason` quotes nothing of it, nor of the answer. */
export class EgressFailed extends Data.TaggedError("EgressFailed")<{
  readonly reason: string
  readonly isRetryable: boolean
}> {
  override get message() {
    return this.reason
  }
}
