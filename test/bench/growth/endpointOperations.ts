import { endpointOf } from "./deliveryOperations.ts"
import type { OperationTable } from "./OperationTable.ts"
import { perWorld } from "./perWorld.ts"
import { textAt, type World } from "./World.ts"

const path = "/api/v1/webhook-endpoints"

// Of no case is anything sent to it.
const add = async ({ fileUrl, partner }: World) =>
  textAt(await partner.post(path, { url: fileUrl, eventTypes: ["webhook.test"] })(), "data", "id")

const enabledOf = perWorld(add)

// There is room for a few endpoints only: each goes before the next one comes.
const added = new WeakMap<World, string>()

/** What partners do with their webhook endpoints, and the list of events. */
export const endpointOperations: OperationTable = {
  "POST /api/v1/webhook-endpoints": async (world) => {
    const before = added.get(world)
    if (before !== undefined) await world.partner.delete(`${path}/${before}`)()
    return async () => {
      added.set(world, await add(world))
    }
  },
  "GET /api/v1/webhook-endpoints": ({ partner }) => partner.get(path),
  "GET /api/v1/webhook-endpoints/:endpointId": async (world) => world.partner.get(`${path}/${await endpointOf(world)}`),
  "PATCH /api/v1/webhook-endpoints/:endpointId": async (world) =>
    world.partner.patch(`${path}/${await endpointOf(world)}`, { eventTypes: null, enabled: true }),
  "DELETE /api/v1/webhook-endpoints/:endpointId": async (world) => world.partner.delete(`${path}/${await add(world)}`),
  "POST /api/v1/webhook-endpoints/:endpointId/rotate-secret": async (world) =>
    world.partner.post(`${path}/${await endpointOf(world)}/rotate-secret`, undefined),
  "POST /api/v1/webhook-endpoints/:endpointId/test": async (world) =>
    world.partner.post(`${path}/${await enabledOf(world)}/test`, undefined),
  "GET /api/v1/events": ({ partner }) => partner.get("/api/v1/events?limit=20"),
  "GET /api/v1/events: of a case": ({ partner, take }) => partner.get(`/api/v1/events?caseId=${take().caseId}`)
}
