import type { IdempotencyConflict, PageQuery, RequestInvalid } from "@care/domain/http"
import { type OrganizationId, type WebhookEndpointId, WebhookEventId } from "@care/domain/ids"
import {
  type WebhookEndpoint,
  type WebhookEndpointChange,
  WebhookEndpointDisabled,
  WebhookEndpointNotFound
} from "@care/domain/webhooks"
import { Job } from "@care/jobs"
import { Once, onceOperation } from "@care/once"
import { inTransaction, oldest, type Page, pageFrom } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { EndpointQueues } from "../deliveries/EndpointQueues.ts"
import { Events } from "../events/Events.ts"
import { makeCheckEndpointUrl } from "./checkEndpointUrl.ts"
import { endpointOf } from "./endpointOf.ts"
import { makeWebhookEndpointsRepo } from "./WebhookEndpointsRepo.ts"

/** A request about an endpoint, with its idempotency key, if any. */
export interface EndpointRequest {
  readonly organizationId: OrganizationId
  readonly id: WebhookEndpointId
  readonly key: string | undefined
}

const testOperation = onceOperation({
  name: "testWebhookEndpoint",
  version: 1,
  ids: { eventId: WebhookEventId },
  answer: Schema.Struct({ eventId: WebhookEventId })
})

/** The endpoints of an organization, as it sees and changes them itself. `EndpointSecrets` creates them. */
export class PartnerEndpoints extends Context.Service<
  PartnerEndpoints,
  {
    readonly list: (organizationId: OrganizationId, query: PageQuery) => Effect.Effect<Page<WebhookEndpoint>>
    readonly get: (
      organizationId: OrganizationId,
      id: WebhookEndpointId
    ) => Effect.Effect<WebhookEndpoint, WebhookEndpointNotFound>
    /**
     * Changes the fields that `change` has. An endpoint that is enabled again, or gets another URL, begins anew: earlier failures are
     * forgotten, and waiting deliveries are sent as `EndpointQueues.refresh` says.
     */
    readonly change: (
      organizationId: OrganizationId,
      id: WebhookEndpointId,
      change: WebhookEndpointChange
    ) => Effect.Effect<WebhookEndpoint, WebhookEndpointNotFound | RequestInvalid>
    readonly remove: (
      organizationId: OrganizationId,
      id: WebhookEndpointId
    ) => Effect.Effect<void, WebhookEndpointNotFound>
    /** Sends it a test event, and returns the event's id. */
    readonly test: (
      request: EndpointRequest
    ) => Effect.Effect<
      { readonly eventId: WebhookEventId },
      WebhookEndpointNotFound | WebhookEndpointDisabled | IdempotencyConflict
    >
  }
>()("@care/cases/webhooks/endpoints/PartnerEndpoints") {
  static readonly layer = Layer.effect(
    PartnerEndpoints,
    Effect.gen(function* () {
      const cancelBySubject = yield* Job.makeCancelBySubject
      const checkUrl = yield* makeCheckEndpointUrl
      const events = yield* Events
      const queues = yield* EndpointQueues
      const once = yield* Once
      const repo = yield* makeWebhookEndpointsRepo
      const sql = yield* SqlClient.SqlClient
      const orNotFound = Effect.fromOption(() => new WebhookEndpointNotFound())

      const change = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        id: WebhookEndpointId,
        { enabled, eventTypes, includeTestCases, url }: WebhookEndpointChange
      ) {
        const before = yield* orNotFound(yield* repo.lock(organizationId, id))
        const isEnabled = enabled ?? before.isEnabled
        const beginsAnew = (isEnabled && !before.isEnabled) || (url !== undefined && url !== before.url)
        const after = yield* repo.update({
          organizationId,
          id,
          url,
          eventTypes,
          isEnabled,
          includesTestCases: includeTestCases,
          ...(beginsAnew && { failingSince: null }),
          ...(isEnabled && { disabledReason: null }),
          updatedAt: yield* DateTime.nowAsDate
        })
        if (!isEnabled || beginsAnew) yield* queues.refresh(organizationId, id)
        return yield* endpointOf(after)
      }, inTransaction(sql))

      const addTest = Effect.fnUntraced(function* ({ id, organizationId }: EndpointRequest, eventId: WebhookEventId) {
        const { isEnabled } = yield* orNotFound(yield* repo.lock(organizationId, id))
        if (!isEnabled) return yield* new WebhookEndpointDisabled()
        yield* events.addOwn({
          organizationId,
          id: eventId,
          type: "ping",
          data: { endpointId: id },
          onlyEndpoint: id
        })
        return { eventId }
      }, inTransaction(sql))

      return PartnerEndpoints.of({
        list: Effect.fn("PartnerEndpoints.list")(function* (organizationId, { cursor = oldest, limit }) {
          const { data, nextCursor } = pageFrom(yield* repo.page(organizationId, cursor, limit + 1), limit)
          return { data: yield* Effect.forEach(data, endpointOf), nextCursor }
        }),

        get: Effect.fn("PartnerEndpoints.get")(function* (organizationId, id) {
          return yield* endpointOf(yield* orNotFound(yield* repo.find(organizationId, id)))
        }),

        change: Effect.fn("PartnerEndpoints.change")(function* (organizationId, id, changes) {
          if (changes.url !== undefined) yield* checkUrl(changes.url)
          return yield* change(organizationId, id, changes)
        }),

        remove: Effect.fn("PartnerEndpoints.remove")(function* (organizationId, id) {
          const isRemoved = yield* repo.remove(organizationId, id)
          if (!isRemoved) return yield* new WebhookEndpointNotFound()
          yield* queues.remove(organizationId, id)
          yield* cancelBySubject(organizationId, id)
        }, inTransaction(sql)),

        test: Effect.fn("PartnerEndpoints.test")(function* (request) {
          const { id, key, organizationId } = request
          return yield* once.run(testOperation, { organizationId, key, body: { id } }, ({ eventId }) =>
            Effect.succeed(addTest(request, eventId))
          )
        })
      })
    })
  ).pipe(Layer.provide([EndpointQueues.layer, Events.layer]))
}
