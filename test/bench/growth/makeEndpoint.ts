import type pg from "pg"
import type { Fixtures } from "../../operations/Fixtures.ts"
import { textAt } from "../../operations/textAt.ts"

/**
 * Makes an endpoint to which every seeded event was delivered. Its queue is paused, so that repeated deliveries are not sent. Events that
 * happen meanwhile have their deliveries already.
 */
export const makeEndpoint = async (
  send: Fixtures["send"],
  database: pg.ClientBase,
  organizationId: string
): Promise<string> => {
  const body = { url: "https://shop.example.com/events", enabled: false }
  const id = textAt(await send("webhookEndpoints.create", { body }), "data", "id")
  const values = [organizationId, id]
  await database.query(
    `INSERT INTO cases.webhook_deliveries (
       organization_id, id, endpoint_id, event_id, event_type, case_id, lane, position, status, attempts, attempts_left,
       created_at
     )
     SELECT organization_id, id, $2::uuid, id, type, case_id, case_id, position, 'DELIVERED', 1, 9, created_at
     FROM cases.events WHERE organization_id = $1 AND case_id IS NOT NULL
     ON CONFLICT DO NOTHING`,
    values
  )
  await database.query(
    `INSERT INTO cases.delivery_queues (organization_id, endpoint_id, health, is_paused) VALUES ($1, $2, 'FRESH', true)
     ON CONFLICT (organization_id, endpoint_id) DO NOTHING`,
    values
  )
  await database.query(
    "UPDATE cases.webhook_endpoints SET is_enabled = true WHERE organization_id = $1 AND id = $2",
    values
  )
  await database.query("ANALYZE cases.webhook_deliveries")
  return id
}
