import { randomUUID } from "node:crypto"
import { Context, Duration, Effect, Layer, Predicate, Schema } from "effect"
import { afterCommit } from "../sql/afterCommit.ts"
import { currentCause } from "./JobCause.ts"
import type { JobKind } from "./JobKind.ts"
import { JobNews } from "./JobNews.ts"
import { makeJobPayloads } from "./JobPayloads.ts"
import { makeJobsRepo, nobody } from "./JobsRepo.ts"

export interface OfferOptions {
  /** Of all that are offered under one key the queue keeps the first, also after it is done. */
  readonly key?: string
  /** How long it waits before it is due. */
  readonly delay?: Duration.Input
}

const organizationOf = (element: unknown): string =>
  Predicate.hasProperty(element, "organizationId") && Predicate.isString(element.organizationId)
    ? element.organizationId
    : nobody

/** Stores jobs in the queues of a service. A payload's `organizationId` is whose turn its job takes. */
export class JobOffers extends Context.Service<
  JobOffers,
  {
    /** Stores a job, inside the caller's transaction if there is one. Workers look for it once it is committed. */
    readonly offer: <Payload>(kind: JobKind<Payload>, payload: Payload, options?: OfferOptions) => Effect.Effect<void>
  }
>()("@care/service-kit/jobs/JobOffers") {
  static readonly layer = Layer.effect(
    JobOffers,
    Effect.gen(function* () {
      const news = yield* JobNews
      const payloads = yield* makeJobPayloads
      const repo = yield* makeJobsRepo

      return JobOffers.of({
        offer: Effect.fnUntraced(function* ({ name, schema, version }, payload, { delay = Duration.zero, key } = {}) {
          const id = randomUUID()
          const element = Schema.encodeSync(Schema.toCodecJson(schema))(payload)
          yield* repo.insert({
            id,
            queueName: name,
            key: key ?? null,
            organizationId: organizationOf(element),
            version,
            payload: payloads.seal(name, id, element),
            delay: Duration.fromInputUnsafe(delay),
            ...(yield* currentCause(id))
          })
          yield* afterCommit(news.tell(name))
        })
      })
    })
  )
}
