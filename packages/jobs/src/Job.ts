import { Context, Effect, Layer, type Schema } from "effect"
import type { JobKind } from "./JobKind.ts"
import { JobOffers, type JobQueue } from "./JobOffers.ts"
import { layerWorker, type Perform } from "./layerWorker.ts"

export type { PreparedJob } from "./JobOffers.ts"
export { GivenUp, JobCancelled } from "./jobOutcomes.ts"
export type { JobAttempt } from "./layerWorker.ts"
export { forMessages, forThreeDays, upTo } from "./RetryPolicy.ts"

/** Makes the function that cancels the pending jobs of a subject (`cancelledWith`). */
export const makeCancelBySubject = Effect.map(JobOffers, ({ cancelBySubject }) => cancelBySubject)

/**
 * Defines one kind of job. The class is the service of its queue, `layer` provides it, and `worker` runs the jobs.
 *
 * ```ts
 * class Reminders extends Job.make<Reminders>()("reminder", {
 *   version: 1,
 *   schema: Schema.Struct({ organizationId: OrganizationId, caseId: CaseId }),
 *   retries: Job.forThreeDays,
 *   concurrency: 2
 * }) {}
 *
 * yield* inTransaction(sql)(Effect.andThen(repo.insert(row), reminders.offer({ organizationId, caseId })))
 * ```
 */
export const make =
  <Self>() =>
  <S extends Schema.Codec<unknown, unknown>>(
    name: string,
    options: Omit<JobKind<S["Type"]>, "name" | "schema"> & { readonly schema: S }
  ) => {
    const kind: JobKind<S["Type"]> = { ...options, name }
    return class extends Context.Service<Self, JobQueue<S["Type"]>>()(`@care/jobs/${name}`) {
      static readonly layer = Layer.effect(
        this,
        Effect.map(JobOffers, ({ queueOf }) => queueOf(kind))
      )

      /** Runs the jobs of the queue. `perform` makes the function that does one job; it is run once. */
      static readonly worker = <E, R, EX, RX>(perform: Effect.Effect<Perform<S["Type"], E, R>, EX, RX>) =>
        Layer.unwrap(Effect.map(perform, (run) => layerWorker(kind, run)))
    }
  }
