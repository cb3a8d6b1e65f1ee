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
   * The id of what a job is about, for work that means nothing once that has ended: whoever ends it cancels, in the same
   * transaction, the jobs about it that wait (`Job.makeCancelBySubject`). One that is under way, or begins later, looks for
   * itself and fails with `JobCancelled`.
   */
  readonly endsWith?: (payload: Payload) => string
}
