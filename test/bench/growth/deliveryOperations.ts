import type { OperationTable } from "./OperationTable.ts"
import { perWorld } from "./perWorld.ts"
import { textAt, type World } from "./World.ts"

// An endpoint to which every seeded event was delivered, and whose queue is paused: nothing that is sent again leaves. An event
// that comes just then has its delivery already.
const makeEndpoint = async ({ database, organizationId, partner }: World) => {
  const body = { url: "https://shop.example.com/events", enabled: false }
  const id = textAt(await partner.post("/api/v1/webhook-endpoints", body)(), "data", "id")
  await database.query(
    `INSERT INTO cases.webhook_deliveries (
       organization_id, id, endpoint_id, event_id, event_type, case_id, lane, position, status, attempts, attempts_left,
       created_at
     )
     SELECT organization_id, id, $2::uuid, id, type, case_id, case_id, position, 'DELIVERED', 1, 9, created_at
     FROM cases.events WHERE organization_id = $1 AND case_id IS NOT NULL
     ON CONFLICT DO NOTHING`,
    [organizationId, id]
  )
  await database.query(
    `INSERT INTO cases.delivery_queues (organization_id, endpoint_id, standing, is_paused) VALUES ($1, $2, 'FRESH', true)
     ON CONFLICT (organization_id, endpoint_id) DO NOTHING`,
    [organizationId, id]
  )
  await database.query("UPDATE cases.webhook_endpoints SET is_enabled = true WHERE organization_id = $1 AND id = $2", [
    organizationId,
    id
  ])
  await database.query("ANALYZE cases.webhook_deliveries")
  return id
}

/** The endpoint of a world that everything was delivered to. */
export const endpointOf = perWorld(makeEndpoint)

const newestOf = async (world: World) => {
  const listed = await world.partner.get(`/api/v1/webhook-endpoints/${await endpointOf(world)}/deliveries?limit=1`)()
  return { deliveryId: textAt(listed, "data", 0, "id"), eventId: textAt(listed, "data", 0, "eventId") }
}

const listing = (query: string) => async (world: World) =>
  world.partner.get(`/api/v1/webhook-endpoints/${await endpointOf(world)}/deliveries?limit=20${query}`)

// An endpoint has one replay at a time.
const replay = (operation: string) => async (world: World) => {
  const path = `/api/v1/webhook-endpoints/${await endpointOf(world)}/${operation}`
  await world.jobsDone()
  return world.partner.post(path, lastMinute())
}

const lastMinute = () => ({ since: new Date(Date.now() - 60_000).toISOString() })

/** What partners see and do of events on their way to them. */
export const deliveryOperations: OperationTable = {
  "GET /api/v1/webhook-endpoints/:endpointId/deliveries": listing(""),
  "GET /api/v1/webhook-endpoints/:endpointId/deliveries: those that failed": listing("&status=FAILED"),
  "POST /api/v1/webhook-endpoints/:endpointId/replay": replay("replay"),
  "POST /api/v1/webhook-endpoints/:endpointId/replay-missing": replay("replay-missing"),
  "POST /api/v1/webhook-deliveries/:deliveryId/replay": async (world) =>
    world.partner.post(`/api/v1/webhook-deliveries/${(await newestOf(world)).deliveryId}/replay`, undefined),
  "POST /api/v1/events/:eventId/resend": async (world) =>
    world.partner.post(`/api/v1/events/${(await newestOf(world)).eventId}/resend`, {})
}
