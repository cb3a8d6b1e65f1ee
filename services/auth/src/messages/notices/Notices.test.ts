import { randomUUID } from "node:crypto"
import { UserId } from "@care/domain/ids"
import { layerQuickJobs } from "@care/jobs/testing"
import { until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerBase, layerSettings, makePatient } from "../../../test/layerAuth.ts"
import { Delivery } from "../Delivery.ts"
import { DeliveryFailed, type OutgoingMessage } from "../OutgoingMessage.ts"
import { CaseNoticeSending } from "./CaseNoticeSending.ts"
import { NoticeLimits } from "./NoticeLimits.ts"
import { Notices } from "./Notices.ts"

const sent: Array<OutgoingMessage> = []
const attempts: Array<string> = []

// A mail server that accepts the third attempt at a message.
const layerDelivery = Layer.succeed(Delivery, {
  hasMailbox: false,
  send: (message) =>
    Effect.suspend(() => {
      attempts.push(message.id)
      if (attempts.filter((id) => id === message.id).length < 3) return new DeliveryFailed({ reason: "away" })
      sent.push(message)
      return Effect.void
    })
})

const TestLayer = Layer.merge(Notices.layer, CaseNoticeSending.layerWorker).pipe(
  Layer.provide([layerQuickJobs, layerDelivery, NoticeLimits.layer.pipe(Layer.provide(layerSettings()))]),
  Layer.provideMerge(layerBase)
)

layer(TestLayer, { excludeTestServices: true })("Notices", (it) => {
  const untilCompleted = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* Effect.repeat(sql`SELECT FROM jobs WHERE queue_name = 'case-notice' AND state <> 'completed'`, {
      until: ({ length }) => length === 0
    })
  }).pipe(Effect.timeout("10 seconds"))

  it.effect("a reminder that comes after its appointment began is not sent, and dead-lettered for the operator", () =>
    Effect.gen(function* () {
      const { offerAll } = yield* Notices
      const sql = yield* SqlClient.SqlClient
      const { organizationId, userId } = yield* makePatient
      const key = randomUUID()
      const notice = { key, kind: "APPOINTMENT_REMINDER", organizationId, userId, shortId: "8B2C4D6E" } as const
      yield* offerAll([{ ...notice, startsAt: new Date(Date.now() - 1000), timezone: "UTC" }])
      const rows = sql<{ state: string; lastFailure: string }>`
        SELECT state, last_failure FROM jobs WHERE organization_id = ${organizationId}
      `
      const [row] = yield* until(rows, ([row]) => row?.state === "failed")
      assert.include(row?.lastFailure, "before the appointment began")
      assert.deepStrictEqual(attempts, [])
      yield* sql`DELETE FROM jobs WHERE organization_id = ${organizationId}`
    })
  )

  it.effect(
    "a notice that is offered again and in parallel is sent once, and retried until the mail server accepts it",
    () =>
      Effect.gen(function* () {
        const { offerAll } = yield* Notices
        const { organizationId, patient, userId } = yield* makePatient
        const notice = { key: randomUUID(), kind: "CASE_OPENED", organizationId, userId, shortId: "8B2C4D6E" } as const
        yield* Effect.replicateEffect(offerAll([notice, notice]), 20, { concurrency: "unbounded" })
        yield* untilCompleted
        yield* offerAll([notice])
        yield* untilCompleted
        assert.deepStrictEqual(
          sent.map(({ id: _, ...message }) => message),
          [
            {
              organizationId,
              userId,
              channel: "EMAIL",
              to: patient.email,
              subject: "Your case at Test clinic is open",
              text: "Hello Maria, your case 8B2C4D6E at Test clinic is open. You hear from Test clinic when there is news."
            }
          ]
        )
        assert.lengthOf(attempts, 3)
      })
  )

  it.effect("people who want no email, are inactive, deleted or unknown to the organization get no notice", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { offerAll } = yield* Notices
      const changes = ["notifications_disabled = true", "is_active = false", "deleted_at = now()", "title = 'Dr.'"]
      const [foreign] = [yield* makePatient]
      sent.length = 0
      for (const change of changes) {
        const { organizationId, userId } = yield* makePatient
        yield* sql`UPDATE users SET ${sql.literal(change)} WHERE id = ${userId}`
        for (const id of [userId, foreign.userId, UserId.make(randomUUID())]) {
          yield* offerAll([
            { key: randomUUID(), kind: "CASE_ASSIGNED", organizationId, userId: id, shortId: "8B2C4D6E" }
          ])
        }
      }
      yield* untilCompleted
      assert.lengthOf(sent, 1)
    })
  )
})
