import { call } from "../call.ts"
import { endpoints as webhooks } from "../endpoints.ts"
import type { Attempt } from "./Attempt.ts"

const longAgo = "2026-01-01T00:00:00.000Z"

/** What is tried with endpoints and events of another organization. */
export const webhookAttempts: Readonly<Record<string, Attempt>> = {
  "webhookEndpoints.create": [
    [201],
    ({ key }, { clinic }) =>
      call("POST", "/api/v1/webhook-endpoints", { key, body: { url: `https://${clinic.organizationId}.example.com` } })
  ],
  "webhookEndpoints.list": [[200], (attacker) => webhooks("GET", attacker)],
  "webhookEndpoints.get": [[404], (attacker, { endpointId }) => webhooks("GET", attacker, `/${endpointId}`)],
  "webhookEndpoints.change": [
    [404],
    (attacker, { endpointId }) => webhooks("PATCH", attacker, `/${endpointId}`, { body: { enabled: false } })
  ],
  "webhookEndpoints.remove": [[404], (attacker, { endpointId }) => webhooks("DELETE", attacker, `/${endpointId}`)],
  "webhookEndpoints.rotateSecret": [
    [404],
    (attacker, { endpointId }) => webhooks("POST", attacker, `/${endpointId}/rotate-secret`)
  ],
  "webhookEndpoints.test": [[404], (attacker, { endpointId }) => webhooks("POST", attacker, `/${endpointId}/test`)],
  "webhookDeliveries.list": [
    [404],
    (attacker, { endpointId }) => webhooks("GET", attacker, `/${endpointId}/deliveries`)
  ],
  "webhookDeliveries.replay": [
    [404],
    ({ key }, { deliveryId }) => call("POST", `/api/v1/webhook-deliveries/${deliveryId}/replay`, { key })
  ],
  "webhookDeliveries.replayRange": [
    [404],
    (attacker, { endpointId }) => webhooks("POST", attacker, `/${endpointId}/replay`, { body: { since: longAgo } })
  ],
  "webhookDeliveries.replayMissing": [
    [404],
    (attacker, { endpointId }) =>
      webhooks("POST", attacker, `/${endpointId}/replay-missing`, { body: { since: longAgo } })
  ],
  "webhookDeliveries.resend": [
    [404],
    ({ key }, { endpointId, toldEventId }) =>
      call("POST", `/api/v1/events/${toldEventId}/resend`, { key, body: { endpointId } })
  ],
  "events.list": [[200], ({ key }, { caseId }) => call("GET", `/api/v1/events?caseId=${caseId}`, { key })]
}
