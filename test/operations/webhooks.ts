import type { MakeRequest, Operation, Operations } from "./Operation.ts"

const unaudited = "an endpoint is the organization's own, and what is sent to it says ids, statuses and times alone"
const ownEndpoint = { organizationFields: true, unaudited } as const satisfies Partial<Operation>

const ofEndpoint =
  (make: "enabledEndpointId" | "endpointId" | "idleEndpointId" | "newEndpointId", rest: object = {}): MakeRequest =>
  async (fixtures) => ({ params: { endpointId: await fixtures[make]() }, ...rest })

const ofDelivery: MakeRequest = async (fixtures) => {
  const { deliveryId } = await fixtures.delivery()
  return { params: { endpointId: await fixtures.endpointId(), deliveryId } }
}

// A replay begins only when nothing else is being sent to the endpoint.
const replay = () => ofEndpoint("idleEndpointId", { body: { since: new Date(Date.now() - 60_000).toISOString() } })

/** The operations on webhook endpoints, deliveries and events. */
export const webhooks = {
  "webhookEndpoints.create": {
    request: async (fixtures) => {
      await fixtures.roomForEndpoint()
      return { body: { url: `${fixtures.fileUrl}?added`, eventTypes: ["ping"] } }
    },
    foreign: { status: 201 },
    ...ownEndpoint,
    unmarkedFields: ["url"],
    addsNothing: []
  },
  "webhookEndpoints.list": { request: () => ({}), foreign: { status: 200 }, ...ownEndpoint },
  "webhookEndpoints.get": { request: ofEndpoint("endpointId"), foreign: { status: 404 }, ...ownEndpoint },
  "webhookEndpoints.change": {
    request: ofEndpoint("endpointId", { body: { eventTypes: null, enabled: true } }),
    foreign: { status: 404 },
    ...ownEndpoint,
    unmarkedFields: ["url"],
    addsNothing: []
  },
  "webhookEndpoints.remove": {
    request: ofEndpoint("newEndpointId"),
    foreign: { status: 404 },
    ...ownEndpoint,
    addsNothing: []
  },
  "webhookEndpoints.rotateSecret": {
    request: ofEndpoint("endpointId"),
    foreign: { status: 404 },
    ...ownEndpoint,
    addsNothing: []
  },
  "webhookEndpoints.test": { request: ofEndpoint("enabledEndpointId"), foreign: { status: 404 }, ...ownEndpoint },
  "webhookDeliveries.list": {
    request: ofEndpoint("endpointId", { query: { limit: "20" } }),
    variants: { "those that failed": ofEndpoint("endpointId", { query: { limit: "20", status: "FAILED" } }) },
    foreign: { status: 404 },
    ...ownEndpoint
  },
  "webhookDeliveries.replay": {
    request: async (fixtures) => ({ params: { deliveryId: (await fixtures.delivery()).deliveryId } }),
    foreign: { status: 404 },
    ...ownEndpoint,
    addsNothing: []
  },
  "webhookDeliveries.replayRange": {
    request: (fixtures) => replay()(fixtures),
    foreign: { status: 404 },
    ...ownEndpoint,
    addsNothing: []
  },
  "webhookDeliveries.replayMissing": {
    request: (fixtures) => replay()(fixtures),
    foreign: { status: 404 },
    ...ownEndpoint
  },
  "webhookDeliveries.resend": {
    request: async (fixtures) => ({ params: { eventId: (await fixtures.delivery()).eventId }, body: {} }),
    foreign: { status: 404 },
    ...ownEndpoint
  },
  "adminWebhooks.endpoints": { request: ({ organizationId }) => ({ params: { organizationId } }), ...ownEndpoint },
  "adminWebhooks.deliveries": {
    request: ofEndpoint("endpointId", { query: { limit: "20" } }),
    variants: { "those that failed": ofEndpoint("endpointId", { query: { limit: "20", status: "FAILED" } }) },
    ...ownEndpoint
  },
  "adminWebhooks.delivery": { request: ofDelivery, ...ownEndpoint },
  "adminWebhooks.replay": { request: ofDelivery, ...ownEndpoint },
  "adminWebhooks.create": {
    request: async (fixtures) => {
      await fixtures.roomForEndpoint()
      return {
        params: { organizationId: fixtures.organizationId },
        body: { url: `${fixtures.fileUrl}?added`, eventTypes: ["ping"] }
      }
    },
    ...ownEndpoint,
    unmarkedFields: ["url"]
  },
  "adminWebhooks.change": {
    request: ofEndpoint("endpointId", { body: { eventTypes: null, enabled: true } }),
    ...ownEndpoint,
    unmarkedFields: ["url"]
  },
  "adminWebhooks.remove": { request: ofEndpoint("newEndpointId"), ...ownEndpoint },
  "adminWebhooks.rotateSecret": { request: ofEndpoint("endpointId"), ...ownEndpoint },
  "adminWebhooks.test": { request: ofEndpoint("enabledEndpointId"), ...ownEndpoint },
  "adminWebhooks.replayMissing": { request: (fixtures) => replay()(fixtures), ...ownEndpoint },
  "events.list": {
    request: async (fixtures) => ({ query: { caseId: (await fixtures.case()).caseId } }),
    variants: { all: () => ({ query: { limit: "20" } }) },
    foreign: { status: 200 },
    unaudited
  }
} satisfies Partial<Operations>
