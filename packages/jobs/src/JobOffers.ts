import { randomUUID } from "node:crypto"
import type { OrganizationId } from "@care/domain/ids"
import { afterCommit } from "@care/service-kit"
import { Context, Duration, Effect, Layer, Predicate, Schema } from "effect"
import type { Statement } from "effect/sql"
import { countCancelled } from "./JobCancelled.ts"
import { currentCause } from "./JobCause.ts"
import type { JobKind } from "./JobKind.ts"
import { makeJobPayloads } from "./JobPayloads.ts"
import { makeJobsRepo, type NewJob, nobody } from "./JobsRepo.ts"
import { JobWakeUp } from "./JobWakeUp.ts"

export interface OfferOptions {
  /** Of all that are offered under one key the queue keeps the first, also after it is done. */
  readonly key?: string
  /** How long it waits before it is due. */
  readonly delay?: Duration.Input
}

/** What a job carries, and how it waits. */
export type Offer<Payload> = readonly [payload: Payload, options?: OfferOptions | undefined]

const organizationOf = (element: unknown): string =>
  Predicate.hasProperty(element, "organizationId") && Predicate.isString(element.organizationId)
    ? element.organizationId
    : nobody

/** A job that is stored by another statement, together with what it is about. */
export interface PreparedJob {
  /** Stores the job if the statement that it is a part of has a row there: `FROM <row>`. */
  readonly insertFor: (row: Statement.Fragment) => Statement.Fragment
  /** Lets workers look for it, once it is committed. */
  readonly tell: Effect.Effect<void>
}

/** Stores jobs in the queues of a service. A payload's `organizationId` is whose turn its job takes. */
export class JobOffers extends Context.Service<
  JobOffers,
  {
    /** Stores a job, inside the caller's transaction if there is one. Workers look for it once it is committed. */
    readonly offer: <Payload>(kind: JobKind<Payload>, payload: Payload, options?: OfferOptions) => Effect.Effect<void>
    /** The same for several, in one statement. */
    readonly offerAll: <Payload>(kind: JobKind<Payload>, offers: ReadonlyArray<Offer<Payload>>) => Effect.Effect<void>
    readonly prepare: <Payload>(
      kind: JobKind<Payload>,
      payload: Payload,
      options?: OfferOptions
    ) => Effect.Effect<PreparedJob>
    /** Ends the jobs of all kinds that wait and are about something, inside the caller's transaction if there is one. */
    readonly cancelBySubject: (organizationId: OrganizationId, about: string) => Effect.Effect<void>
    /** Whether a job of the kind about something waits or is under way. */
    readonly isUnderWay: (name: string, organizationId: OrganizationId, about: string) => Effect.Effect<boolean>
  }
>()("@care/jobs/JobOffers") {
  static readonly layer = Layer.effect(
    JobOffers,
    Effect.gen(function* () {
      const wakeUp = yield* JobWakeUp
      const payloads = yield* makeJobPayloads
      const repo = yield* makeJobsRepo

      const make = Effect.fnUntraced(function* <Payload>(
        { endsWith, name, schema, version }: JobKind<Payload>,
        payload: Payload,
        { delay = Duration.zero, key }: OfferOptions = {}
      ) {
        const id = randomUUID()
        const element = Schema.encodeSync(Schema.toCodecJson(schema))(payload)
        const job: NewJob = {
          id,
          queueName: name,
          key: key ?? null,
          organizationId: organizationOf(element),
          about: endsWith?.(payload) ?? null,
          version,
          payload: payloads.seal(name, id, element),
          delay: Duration.fromInputUnsafe(delay),
          ...(yield* currentCause(id))
        }
        return job
      })
      const tell = (queue: string) => afterCommit(wakeUp.tell(queue))

      const offerAll = Effect.fnUntraced(function* <Payload>(
        kind: JobKind<Payload>,
        offers: ReadonlyArray<Offer<Payload>>
      ) {
        const jobs = yield* Effect.forEach(offers, ([payload, options]) => make(kind, payload, options))
        yield* Effect.andThen(repo.insertAll(jobs), tell(kind.name))
      })

      return JobOffers.of({
        offer: (kind, payload, options) => offerAll(kind, [[payload, options]]),
        offerAll,
        isUnderWay: repo.isUnderWay,
        prepare: (kind, payload, options) =>
          Effect.map(make(kind, payload, options), (job) => ({
            insertFor: (row) => repo.insertFor(job, row),
            tell: tell(kind.name)
          })),
        cancelBySubject: Effect.fnUntraced(function* (organizationId, about) {
          const ended = yield* repo.cancelBySubject(organizationId, about)
          yield* afterCommit(Effect.forEach(ended, ({ queueName }) => countCancelled(queueName), { discard: true }))
        })
      })
    })
  )
}
