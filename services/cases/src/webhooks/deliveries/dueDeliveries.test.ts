import { OtherDueWork, rowsOf } from "@care/service-kit"
import { whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases } from "../../../test/storedCases.ts"
import { makeEndpoint, newOrganization } from "../../../test/storedWebhooks.ts"
import { layerDueDeliveries } from "./layerDueDeliveries.ts"

const TestLayer = layerDueDeliveries.pipe(Layer.provideMerge(layerStoredCases))

const storedTimes = rowsOf(Schema.Struct({ day: Schema.Int, deliveryAt: Schema.Finite, laneAt: Schema.Finite }))

layer(TestLayer, { excludeTestServices: true })("deliveries that wait for a clock", (it) => {
  it.effect("are due earlier when it moves; those that are due are neither changed nor locked, nor are others'", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [work = assert.fail()] = yield* OtherDueWork
      const [sandbox, other] = [newOrganization(), newOrganization()]
      for (const organizationId of [sandbox, other]) {
        const endpointId = yield* makeEndpoint(organizationId, "https://shop.example.com/events")
        yield* sql`
          INSERT INTO webhook_deliveries (
            organization_id, id, endpoint_id, event_id, event_type, lane, position, status, attempts, attempts_left,
            next_attempt_at, created_at
          )
          SELECT ${organizationId}, gen_random_uuid(), ${endpointId}, gen_random_uuid(), 'case.closed', gen_random_uuid(), day,
                 'PENDING', 1, 9, now() + day * interval '1 day', now()
          FROM generate_series(-1, 2) day
        `
        yield* sql`
          INSERT INTO delivery_lanes SELECT organization_id, endpoint_id, lane, 1, next_attempt_at, now()
          FROM webhook_deliveries WHERE organization_id = ${organizationId}
        `
      }
      const read = (organizationId: string) =>
        storedTimes.all(sql`
          SELECT position::int AS day, extract(epoch FROM next_attempt_at)::float8 AS delivery_at,
                 extract(epoch FROM lane.due_at)::float8 AS lane_at
          FROM webhook_deliveries delivery JOIN delivery_lanes lane USING (organization_id, endpoint_id, lane)
          WHERE organization_id = ${organizationId} ORDER BY position
        `)
      const [before, othersBefore] = [yield* read(sandbox), yield* read(other)]
      const hourSeconds = 3600
      const attempt = sql`
        SELECT position::int AS day FROM webhook_deliveries delivery JOIN delivery_lanes USING (organization_id, endpoint_id, lane)
        WHERE organization_id = ${sandbox} AND due_at <= now() ORDER BY position FOR UPDATE NOWAIT
      `
      const [, [locked]] = yield* whileHeld(work.bringForward(sandbox, hourSeconds * 1000), [attempt])
      assert.deepStrictEqual(locked, [{ day: -1 }, { day: 0 }])
      const earlier = ({ day, deliveryAt, laneAt }: (typeof before)[number]) => ({
        day,
        deliveryAt: deliveryAt - hourSeconds,
        laneAt: laneAt - hourSeconds
      })
      assert.deepStrictEqual(
        yield* read(sandbox),
        before.map((row) => (row.day <= 0 ? row : earlier(row)))
      )
      assert.deepStrictEqual(yield* read(other), othersBefore)
    })
  )
})
