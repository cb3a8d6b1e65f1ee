import { randomUUID } from "node:crypto"
import { Audit } from "@care/audit"
import type { CaseActivity } from "@care/domain/cases"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { IdentityTokens, layerHttpClient, PeerUnavailable } from "@care/service-kit"
import { layerTestConfig } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { Activity, CaseCalendarEvents, Cases, Decisions } from "../../case/index.ts"
import { Comments } from "../../comments/index.ts"
import { Escalations } from "../../escalations/index.ts"
import { Orders } from "../../orders/index.ts"
import { Timeline } from "./Timeline.ts"

const commentId = randomUUID()
const entryOf = (sequence: number, type: CaseActivity["type"], details: CaseActivity["details"]): CaseActivity => ({
  id: randomUUID(),
  sequence,
  type,
  actor: { type: "JOB", id: null },
  at: new Date(0),
  details
})
const entries = [
  entryOf(3, "CALENDAR_EVENT_CREATED", { eventId: randomUUID() }),
  entryOf(2, "PAYMENT_CHANGED", { paymentId: randomUUID(), status: "PAID" }),
  entryOf(1, "COMMENT_ADDED", { commentId })
]
const requested: Array<ReadonlyArray<string>> = []
const kinds: Array<ReadonlyArray<string>> = []

// Nobody listens where payments should be.
const layerConfig = ConfigProvider.layer(ConfigProvider.fromUnknown({ PAYMENTS_URL: "http://127.0.0.1:1" }))

const TestLayer = Timeline.layer.pipe(
  Layer.provide([
    Layer.mock(Activity, { before: (_, __, ___, limit) => Effect.succeed(entries.slice(0, limit)) }),
    Layer.mock(Audit, { read: ({ kinds: shown = [] }) => Effect.sync(() => void kinds.push(shown)) }),
    Layer.mock(CaseCalendarEvents, { findAll: () => Effect.die(new PeerUnavailable({ peer: "scheduling" })) }),
    Layer.mock(Cases, {
      findOwner: () =>
        Effect.succeed({
          organizationId: OrganizationId.make(randomUUID()),
          userId: UserId.make(randomUUID()),
          glassBrokenUntil: null
        })
    }),
    Layer.mock(Comments, {
      newest: () => () => Effect.succeed([]),
      findAll: (_, ids) =>
        Effect.sync(() => {
          requested.push(ids)
          return []
        })
    }),
    Layer.mock(Decisions, {}),
    Layer.mock(Escalations, {}),
    Layer.mock(Orders, {})
  ]),
  Layer.provide([IdentityTokens.layer, layerHttpClient]),
  Layer.provide([layerTestConfig(), layerConfig])
)

layer(TestLayer, { excludeTestServices: true })("the timeline of a case", (it) => {
  it.effect(
    "is read without payments and events while their services are away, and asks for nothing that it does not show",
    () =>
      Effect.gen(function* () {
        const { page } = yield* Timeline
        const { data, nextCursor } = yield* page(CaseId.make(randomUUID()), { limit: 2 })
        assert.deepStrictEqual(
          data.map(({ calendarEvent, kind, payment, sequence }) => ({ calendarEvent, kind, payment, sequence })),
          [
            { calendarEvent: null, kind: "CALENDAR_EVENT", payment: null, sequence: 3 },
            { calendarEvent: null, kind: "PAYMENT", payment: null, sequence: 2 }
          ]
        )
        assert.deepStrictEqual([nextCursor, requested], [2, []])
        assert.deepStrictEqual(kinds, [["ACTIVITY", "APPOINTMENTS", "PAYMENTS"]])
        yield* page(CaseId.make(randomUUID()), { limit: 3 })
        assert.deepStrictEqual(requested, [[commentId]])
      })
  )
})
