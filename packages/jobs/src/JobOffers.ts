import { randomUUID } from "node:crypto"
import type { OrganizationId } from "@care/domain/ids"
import { afterCommit, noRequest, RequestId, traceHeaders } from "@care/service-kit"
import { Context, Duration, Effect, Layer, Predicate, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { JobKind } from "./JobKind.ts"
import { makeJobPayloads } from "./JobPayloads.ts"
import { makeJobsRepo, type NewJob, noOrganization } from "./JobsRepo.ts"
import { JobWakeUp } from "./JobWakeUp.ts"
import { countCancelled } from "./jobOutcomes.ts"

interface OfferOptions {
  /** A queue stores only the first job that is offered under a key, also after that job has ended. */
  readonly key?: string
  readonly delay?: Duration.Input
}

/** A job that the caller's own statement stores. */
export interface PreparedJob {
  /** Returns the SQL that inserts the job once for each row of `FROM <row>`, which has one row or none. */
  readonly insertFor: (row: Statement.Fragment) => Statement.Fragment
  /** Wakes the workers up after the commit. */
  readonly wake: Effect.Effect<void>
}

/** The queue of one kind of job. An `organizationId` in a payload says whose share of the queue the job uses. */
export interface JobQueue<Payload> {
  /** Stores a job in the caller's transaction, if there is one. Workers look for it after the commit. */
  readonly offer: (payload: Payload, options?: OfferOptions) => Effect.Effect<void>
  /** Stores several jobs in one statement. */
  readonly offerAll: (
    offers: ReadonlyArray<readonly [payload: Payload, options?: OfferOptions | undefined]>
  ) => Effect.Effect<void>
  /** Makes a job that the caller's own statement stores, without a transaction around it. */
  readonly prepare: (payload: Payload, options?: OfferOptions) => Effect.Effect<PreparedJob>
}

const organizationOf = (element: unknown): string =>
  Predicate.hasProperty(element, "organizationId") && Predicate.isString(element.organizationId)
    ? element.organizationId
    : noOrganization

export class JobOffers extends Context.Service<
  JobOffers,
  {
    readonly queueOf: <Payload>(kind: JobKind<Payload>) => JobQueue<Payload>
    /** Cancels the pending jobs of all kinds about a subject, in the caller's transaction if there is one. */
    readonly cancelBySubject: (organizationId: OrganizationId, subject: string) => Effect.Effect<void>
  }
>()("@care/jobs/JobOffers") {
  static readonly layer = Layer.effect(
    JobOffers,
    Effect.gen(function* () {
      const wakeUp = yield* JobWakeUp
      const payloads = yield* makeJobPayloads
      const repo = yield* makeJobsRepo

      const queueOf = <Payload>({ cancelledWith, name, schema, version }: JobKind<Payload>): JobQueue<Payload> => {
        const encode = Schema.encodeSync(Schema.toCodecJson(schema))
        const wake = afterCommit(wakeUp.wake(name))

        const make = Effect.fnUntraced(function* (payload: Payload, { delay = Duration.zero, key }: OfferOptions = {}) {
          const id = randomUUID()
          const requestId = yield* RequestId
          const element = encode(payload)
          const job: NewJob = {
            id,
            queueName: name,
            key: key ?? null,
            organizationId: organizationOf(element),
            subject: cancelledWith?.(payload) ?? null,
            version,
            payload: payloads.seal(name, id, element),
            delay: Duration.fromInputUnsafe(delay),
            // A job without a request has its own id as request id.
            requestId: requestId === noRequest ? id : requestId,
            traceparent: (yield* traceHeaders)?.["traceparent"] ?? null
          }
          return job
        })
        const offerAll: JobQueue<Payload>["offerAll"] = (offers) =>
          Effect.forEach(offers, ([payload, options]) => make(payload, options)).pipe(
            Effect.flatMap(repo.insert),
            Effect.andThen(wake)
          )

        return {
          offer: (payload, options) => offerAll([[payload, options]]),
          offerAll,
          prepare: (payload, options) =>
            Effect.map(make(payload, options), (job) => ({ insertFor: (row) => repo.insertFor([job], row), wake }))
        }
      }

      return JobOffers.of({
        queueOf,
        cancelBySubject: Effect.fnUntraced(function* (organizationId, subject) {
          const ended = yield* repo.cancelBySubject(organizationId, subject)
          yield* afterCommit(Effect.forEach(ended, ({ queueName }) => countCancelled(queueName), { discard: true }))
        })
      })
    })
  )
}
