import type { Schema } from "effect"
import type { RetryPolicy } from "./RetryPolicy.ts"

export interface JobKind<Payload> {
  /** The name of its queue, in the words of a metric: no `/`. */
  readonly name: string
  /**
   * The version of the schema, stored with each payload: raise it when the schema changes. A job with another version than the
   * process knows is dead-lettered.
   */
  readonly version: number
  /** The schema of the stored payload. It is the job's own, because stored payloads outlive changes of the contracts. */
  readonly schema: Schema.Codec<Payload, unknown>
  readonly retries: RetryPolicy
  /** How many run at once in this process. */
  readonly concurrency: number
  /** How many of one organization run at once in all processes together. Without it there is no limit. */
  readonly perOrganization?: number
  /**
   * Whether `perOrganization` is counted under a lock, which costs three more statements a claim. Otherwise processes that claim at
   * the same moment may exceed it together.
   */
  readonly isCountedExactly?: boolean
  /**
   * The id of the job's subject, for work that means nothing once the subject has ended. Whoever ends it cancels its pending jobs
   * in the same transaction (`Job.makeCancelBySubject`). A job that is running, or begins later, checks the subject itself and
   * fails with `JobCancelled`.
   */
  readonly cancelledWith?: (payload: Payload) => string
}
