const endpoint = "an endpoint is the organization's own, and what is sent to it says ids, statuses and times alone"
const keys = "keys are changed, and what they seal is neither read nor told"

/**
 * The operations that write no audit record, each with its reason. Any other has to, and a new one has to decide
 * (`auditCoverage.system.test.ts`).
 */
export const unaudited: Readonly<Record<string, string>> = {
  "POST /api/v1/users/auth/send-otp": "nobody looks there whether it is a patient's; the sign-in is recorded",
  "GET /api/v1/organization/bundles": "the organization's own catalogue",
  "GET /api/v1/organization/bundles/:bundleUUID": "the organization's own catalogue",
  "GET /api/v1/promo-codes": "a promo code is nobody's",
  "GET /api/v1/calendar/provider-availability": "the open slots of a provider",
  "POST /api/v1/payments/intent": "what the gateway is to be paid is not yet anybody's",
  "POST /api/v1/payments/setup": "a method that is to be saved is not yet anybody's",
  "GET /admin/v1/payment-events": "names no patient and no case; when a payment is named, that it was read is recorded",
  "GET /api/v1/audit-records": "ids and times alone: a record of each look would be looked at, too",
  "GET /admin/v1/audit": "ids and times alone: a record of each look would be looked at, too",
  "GET /admin/v1/audit/heads/:service": "counts and hashes",
  "GET /admin/v1/audit/links/:service/:organizationId": "ids and times alone",
  "GET /admin/v1/audit/strays/:service/:organizationId": "ids and times alone",
  "POST /api/v1/webhook-endpoints": endpoint,
  "GET /api/v1/webhook-endpoints": endpoint,
  "GET /api/v1/webhook-endpoints/:endpointId": endpoint,
  "PATCH /api/v1/webhook-endpoints/:endpointId": endpoint,
  "DELETE /api/v1/webhook-endpoints/:endpointId": endpoint,
  "GET /api/v1/webhook-endpoints/:endpointId/deliveries": endpoint,
  "POST /api/v1/webhook-endpoints/:endpointId/replay": endpoint,
  "POST /api/v1/webhook-endpoints/:endpointId/replay-missing": endpoint,
  "POST /api/v1/webhook-endpoints/:endpointId/rotate-secret": endpoint,
  "POST /api/v1/webhook-endpoints/:endpointId/test": endpoint,
  "POST /api/v1/webhook-deliveries/:deliveryId/replay": endpoint,
  "GET /api/v1/events": endpoint,
  "POST /api/v1/events/:eventId/resend": endpoint,
  "POST /admin/v1/organizations": "an organization is no patient",
  "GET /admin/v1/organizations": "an organization is no patient",
  "GET /admin/v1/organizations/:organizationId": "an organization is no patient",
  "PATCH /admin/v1/organizations/:organizationId": "an organization is no patient",
  "POST /admin/v1/organizations/:organizationId/api-keys": "a key is an organization's",
  "GET /admin/v1/organizations/:organizationId/api-keys": "a key is an organization's",
  "DELETE /admin/v1/api-keys/:apiKeyId": "a key is an organization's",
  "GET /admin/v1/messages": "the mailbox of development, which is not there where messages are really sent",
  "POST /admin/v1/organizations/:organizationId/products": "the organization's own catalogue",
  "POST /admin/v1/organizations/:organizationId/forms": "the organization's own catalogue",
  "POST /admin/v1/organizations/:organizationId/bundles": "the organization's own catalogue",
  "POST /admin/v1/promo-codes": "a promo code is nobody's",
  "GET /admin/v1/promo-codes": "a promo code is nobody's",
  "PATCH /admin/v1/promo-codes/:promoCodeId": "a promo code is nobody's",
  "GET /admin/v1/phi-keys": keys,
  "POST /admin/v1/phi-keys/rotate": keys,
  "POST /admin/v1/reconciliations": "ids alone: what the providers told is recorded as a change of what it changes",
  "GET /admin/v1/jobs": "what a job carries is never shown",
  "POST /admin/v1/jobs/:jobId/retry": "what a job carries is never shown; what it does it records"
}
