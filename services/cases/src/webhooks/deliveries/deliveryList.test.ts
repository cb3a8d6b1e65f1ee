import { randomUUID } from "node:crypto"
import { CaseId } from "@care/domain/ids"
import type { DeliveriesQuery, WebhookDelivery } from "@care/domain/webhooks"
import { layerIdleJobs } from "@care/jobs/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases } from "../../../test/storedCases.ts"
import { makeEndpoint, newOrganization } from "../../../test/storedWebhooks.ts"
import { WebhookEndpoints } from "../endpoints/WebhookEndpoints.ts"
import { Deliveries } from "./Deliveries.ts"

const TestLayer = Deliveries.layer.pipe(
  Layer.provide(WebhookEndpoints.layer),
  Layer.provide(layerIdleJobs),
  Layer.provideMerge(layerStoredCases)
)

layer(TestLayer, { excludeTestServices: true })("the list of deliveries", (it) => {
  /** An endpoint with 2,500 deliveries of two cases, a second each; every 1,200th is of a case that was created. */
  const make = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const organizationId = newOrganization()
    const endpointId = yield* makeEndpoint(organizationId, "https://shop.example.com/")
    const cases = [CaseId.make(randomUUID()), CaseId.make(randomUUID())] as const
    yield* sql`
      INSERT INTO webhook_deliveries (
        organization_id, id, endpoint_id, event_id, event_type, case_id, lane, position, status, attempts, attempts_left, created_at
      )
      SELECT ${organizationId}, gen_random_uuid(), ${endpointId}, gen_random_uuid(),
             CASE n % 1200 WHEN 0 THEN 'case.created' ELSE 'case.closed' END,
             CASE n % 2 WHEN 0 THEN ${cases[0]}::uuid ELSE ${cases[1]}::uuid END, gen_random_uuid(), n,
             CASE n % 1000 WHEN 1 THEN 'FAILED' ELSE 'DELIVERED' END, 1, 9, now() - interval '1 day' + n * interval '1 second'
      FROM generate_series(1, 2500) n
    `
    const { list } = yield* Deliveries
    const listAll = Effect.fnUntraced(function* (query: Partial<DeliveriesQuery>) {
      const pages: Array<ReadonlyArray<WebhookDelivery>> = []
      let cursor: DeliveriesQuery["cursor"]
      do {
        const position = cursor === undefined ? {} : { cursor }
        const page = yield* Effect.orDie(list(organizationId, endpointId, { limit: 100, ...query, ...position }))
        pages.push(page.data)
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      return pages
    })
    return { organizationId, cases, listAll }
  })

  it.effect(
    "is complete by its cursors, newest first, for each query, though pages may be shorter than the limit",
    () =>
      Effect.gen(function* () {
        const { cases, listAll } = yield* make
        for (const [query, count, pages] of [
          [{}, 2500, 25],
          [{ status: "FAILED" }, 3, 1],
          [{ caseId: cases[0] }, 1250, 13],
          // A page examines a thousand deliveries.
          [{ eventType: "case.created" }, 2, 3],
          [{ eventType: "case.closed" }, 2498, 26],
          [{ caseId: cases[1], status: "FAILED" }, 3, 2]
        ] as const) {
          const found = yield* listAll(query)
          const all = found.flat()
          assert.strictEqual(new Set(all.map(({ id }) => id)).size, count, JSON.stringify(query))
          assert.isAtMost(found.length, pages, JSON.stringify(query))
          const times = all.map(({ createdAt }) => createdAt.getTime())
          assert.deepStrictEqual(
            times,
            times.toSorted((a, b) => b - a)
          )
        }
      })
  )

  it.effect("shows the newest 20 attempts of each, oldest first", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { listAll, organizationId } = yield* make
      yield* sql`
        INSERT INTO webhook_attempts (organization_id, delivery_id, number, at, duration_millis, status)
        SELECT organization_id, id, n, now(), 1, 500 FROM webhook_deliveries, generate_series(1, 25) n
        WHERE organization_id = ${organizationId} AND event_type = 'case.created'
      `
      // One more ends while the list is read, and is not shown.
      yield* sql`
        UPDATE webhook_deliveries SET attempts = 24 WHERE organization_id = ${organizationId} AND event_type = 'case.created'
      `
      for (const { attempts } of (yield* listAll({ eventType: "case.created" })).flat()) {
        assert.deepStrictEqual(
          attempts.map(({ number }) => number),
          Array.from({ length: 20 }, (_, index) => index + 5)
        )
      }
    })
  )
})
