import type { Schema } from "effect"
import type { RetryPolicy } from "./RetryPolicy.ts"

export interface JobKind<Payload> {
  /** The name of its queue, in the words of a metric: no `/`. */
  readonly name: string
  /** Raise it when the schema changes. A job with another version than the process knows is dead-lettered. */
  readonly version: number
  /** The schema of the stored payload, which is no contract's, because payloads outlive changes of contracts. */
  readonly schema: Schema.Codec<Payload, unknown>
  readonly retries: RetryPolicy
  readonly concurrency: number
  /** How many of one organization run at a time in all processes together. The default is no limit. */
  readonly perOrganization?: number
  /** Whether parallel claims of several processes keep `perOrganization`, too. That costs three more statements a claim. */
  readonly isCountedExactly?: boolean
  /**
   * Returns the id of a subject without which the job is pointless. The transaction that ends the subject cancels its pending jobs
   * (`Job.makeCancelBySubject`). A job that runs then checks the subject itself, and fails with `JobCancelled`.
   */
  readonly cancelledWith?: (payload: Payload) => string
}
