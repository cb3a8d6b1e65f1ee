import type { OrganizationId } from "@care/domain/ids"
import { Context, Effect, Layer, type Schema } from "effect"
import type { JobKind } from "./JobKind.ts"
import { JobOffers, type Offer, type OfferOptions, type PreparedJob } from "./JobOffers.ts"
import { layerWorker, type Perform } from "./layerWorker.ts"

export { GivenUp } from "./GivenUp.ts"
export { JobCancelled } from "./JobCancelled.ts"
export type { PreparedJob } from "./JobOffers.ts"
export { completeJobs, type JobEnding } from "./JobsRepo.ts"
export { jobEnded } from "./makeSettleJob.ts"
export { forMessages, forThreeDays, untilItEnds, upTo } from "./RetryPolicy.ts"

interface JobQueue<Payload> {
  /** Stores a job, inside the caller's transaction if there is one: a state change and its jobs commit together. */
  readonly offer: (payload: Payload, options?: OfferOptions) => Effect.Effect<void>
  /** The same for several, in one statement. */
  readonly offerAll: (offers: ReadonlyArray<Offer<Payload>>) => Effect.Effect<void>
  /** Makes a job for a statement that stores it with what it is about, which spares a transaction. */
  readonly prepare: (payload: Payload, options?: OfferOptions) => Effect.Effect<PreparedJob>
  /**
   * Whether a job about something (`endsWith`) waits or is under way. A job that offers the next one in the transaction of its
   * work counts until the last of them has ended. Who offers one only then holds a lock meanwhile on what it is about.
   */
  readonly isUnderWay: (organizationId: OrganizationId, about: string) => Effect.Effect<boolean>
}

/** How the jobs about something are cancelled that wait, of every kind that ends with it (`endsWith`). */
export const makeCancelBySubject = Effect.map(JobOffers, ({ cancelBySubject }) => cancelBySubject)

/**
 * Defines one kind of job: its queue as a service, the `layer` of it, and the `worker` that does the jobs.
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
        Effect.map(JobOffers, ({ isUnderWay, offer, offerAll, prepare }) => ({
          offer: (payload, options) => offer(kind, payload, options),
          offerAll: (offers) => offerAll(kind, offers),
          prepare: (payload, options) => prepare(kind, payload, options),
          isUnderWay: (organizationId, about) => isUnderWay(name, organizationId, about)
        }))
      )

      /** Works the queue off; what does the jobs is made once, with the services that it needs. */
      static readonly worker = <E, R, EX, RX>(perform: Effect.Effect<Perform<S["Type"], E, R>, EX, RX>) =>
        Layer.unwrap(Effect.map(perform, (made) => layerWorker(kind, made)))
    }
  }
