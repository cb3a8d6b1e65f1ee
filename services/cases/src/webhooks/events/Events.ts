import { randomUUID } from "node:crypto"
import { type CaseId, type OrganizationId, type WebhookEndpointId, WebhookEventId } from "@care/domain/ids"
import {
  type ListedWebhookEvent,
  type OwnEventType,
  type WebhookEvent,
  WebhookEventNotFound
} from "@care/domain/webhooks"
import { Time } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { ActivityWakeUp } from "../../case/index.ts"
import { makeEventsRepo } from "./EventsRepo.ts"

/**
 * An event of webhooks themselves. It is sent to the endpoints that want its type, or to `onlyEndpoint` alone, whether it wants the
 * type or not, and never to `exceptEndpoint`.
 */
interface OwnEvent {
  readonly organizationId: OrganizationId
  /** A new id by default. */
  readonly id?: WebhookEventId
  readonly type: OwnEventType
  readonly data: Readonly<Record<string, string>>
  readonly onlyEndpoint?: WebhookEndpointId
  readonly exceptEndpoint?: WebhookEndpointId
}

/** A query of events: of one case or of all, after the event with the id. */
interface EventsQuery {
  readonly caseId?: CaseId | undefined
  readonly after?: WebhookEventId | undefined
  readonly limit: number
}

/** The events of the last 30 days, whether an endpoint wants them or not. */
export class Events extends Context.Service<
  Events,
  {
    /** Stores an event of no case in the caller's transaction, and returns its id. It is sent after the commit. */
    readonly addOwn: (event: OwnEvent) => Effect.Effect<WebhookEventId>
    /** Returns an event, or none when it is stored no longer. */
    readonly find: (organizationId: OrganizationId, id: WebhookEventId) => Effect.Effect<Option.Option<WebhookEvent>>
    /** Returns events in their order. No event is added before one that was returned. */
    readonly after: (
      organizationId: OrganizationId,
      query: EventsQuery
    ) => Effect.Effect<ReadonlyArray<ListedWebhookEvent>, WebhookEventNotFound>
  }
>()("@care/cases/webhooks/Events") {
  static readonly layer = Layer.effect(
    Events,
    Effect.gen(function* () {
      const wakeUp = yield* ActivityWakeUp
      const repo = yield* makeEventsRepo

      return Events.of({
        addOwn: Effect.fn("Events.addOwn")(function* ({ exceptEndpoint = null, onlyEndpoint = null, ...event }) {
          const id = event.id ?? WebhookEventId.make(randomUUID())
          yield* repo.insertOwn({ ...event, id, onlyEndpoint, exceptEndpoint, at: yield* Time.nowAsDate })
          yield* wakeUp.tell
          return id
        }),

        find: Effect.fn("Events.find")(function* (organizationId, id) {
          return Option.map(yield* repo.find(organizationId, id), ({ isTest: _, ...event }) => event)
        }),

        after: Effect.fn("Events.after")(function* (organizationId, { after, caseId, limit }) {
          const start = { position: "0" }
          const { position } =
            after === undefined
              ? start
              : yield* Effect.fromOption(
                  yield* repo.positionOf(organizationId, after),
                  () => new WebhookEventNotFound()
                )
          return yield* repo.after(organizationId, Option.fromUndefinedOr(caseId), position, limit)
        })
      })
    })
  ).pipe(Layer.provide(ActivityWakeUp.layer))
}
