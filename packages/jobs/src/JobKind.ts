import type { Schema } from "effect"
import type { RetryPolicy } from "./RetryPolicy.ts"

export interface JobKind<Payload> {
  /** The name of its queue, in the words of a metric: no `/`. */
  readonly name: string
  /**
   * The version of the schema, stored with each payload and counted up when the schema changes. What is stored under
   * another version than the process knows is dead-lettered.
   */
  readonly version: number
  /** What a job carries, declared for the job alone: what is stored outlives the contracts of a day. */
  readonly schema: Schema.Codec<Payload, unknown>
  /** When it is tried again after a failure, and when it is dead-lettered. */
  readonly retries: RetryPolicy
  /** How many are under way at once in this process. */
  readonly concurrency: number
  /** How many of them may belong to one organization, in all processes together. Without it, all of them. */
  readonly perOrganization?: number
  /**
   * Whether that is counted under a lock, which costs each look three statements more. Without it processes that take jobs
   * at the same moment may take as many each.
   */
  readonly isCountedExactly?: boolean
  /**
   * The id of the job's subject, for work that means nothing once the subject has ended. Whoever ends it cancels its pending jobs
   * in the same transaction (`Job.makeCancelBySubject`). A job that is running, or begins later, checks the subject itself and
   * fails with `JobCancelled`.
   */
  readonly cancelledWith?: (payload: Payload) => string
}
