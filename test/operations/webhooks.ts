import type { Operations, Recipe } from "./Operation.ts"

const unaudited = "an endpoint is the organization's own, and what is sent to it says ids, statuses and times alone"
const own = { own: true, unaudited } as const

const endpoint =
  (make: "enabledEndpointId" | "endpointId" | "idleEndpointId" | "newEndpointId", more: object = {}): Recipe =>
  async (of) => ({ params: { endpointId: await of[make]() }, ...more })

// Replays begin when nothing else is sent.
const replay = () => endpoint("idleEndpointId", { body: { since: new Date(Date.now() - 60_000).toISOString() } })

/** What partners do with their endpoints, and with what is sent to them. */
export const webhooks = {
  "webhookEndpoints.create": {
    request: async (of) => {
      await of.roomForEndpoint()
      return { body: { url: `${of.fileUrl}?added`, eventTypes: ["webhook.test"] } }
    },
    foreign: { status: 201 },
    ...own,
    spares: ["url"],
    addsNothing: []
  },
  "webhookEndpoints.list": { request: () => ({}), foreign: { status: 200 }, ...own },
  "webhookEndpoints.get": { request: endpoint("endpointId"), foreign: { status: 404 }, ...own },
  "webhookEndpoints.change": {
    request: endpoint("endpointId", { body: { eventTypes: null, enabled: true } }),
    foreign: { status: 404 },
    ...own,
    spares: ["url"],
    addsNothing: []
  },
  "webhookEndpoints.remove": { request: endpoint("newEndpointId"), foreign: { status: 404 }, ...own, addsNothing: [] },
  "webhookEndpoints.rotateSecret": {
    request: endpoint("endpointId"),
    foreign: { status: 404 },
    ...own,
    addsNothing: []
  },
  "webhookEndpoints.test": { request: endpoint("enabledEndpointId"), foreign: { status: 404 }, ...own },
  "webhookDeliveries.list": {
    request: endpoint("endpointId", { query: { limit: "20" } }),
    also: { "those that failed": endpoint("endpointId", { query: { limit: "20", status: "FAILED" } }) },
    foreign: { status: 404 },
    ...own
  },
  "webhookDeliveries.replay": {
    request: async (of) => ({ params: { deliveryId: (await of.delivery()).deliveryId } }),
    foreign: { status: 404 },
    ...own,
    addsNothing: []
  },
  "webhookDeliveries.replayRange": { request: (of) => replay()(of), foreign: { status: 404 }, ...own, addsNothing: [] },
  "webhookDeliveries.replayMissing": { request: (of) => replay()(of), foreign: { status: 404 }, ...own },
  "webhookDeliveries.resend": {
    request: async (of) => ({ params: { eventId: (await of.delivery()).eventId }, body: {} }),
    foreign: { status: 404 },
    ...own
  },
  "events.list": {
    request: async (of) => ({ query: { caseId: (await of.case()).caseId } }),
    also: { all: () => ({ query: { limit: "20" } }) },
    foreign: { status: 200 },
    unaudited
  }
} satisfies Partial<Operations>
