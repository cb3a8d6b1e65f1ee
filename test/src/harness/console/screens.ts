import { readFileSync } from "node:fs"

const router = readFileSync(new URL("../../../../services/console/src/router.tsx", import.meta.url), "utf8")

/** The paths of all screens of the console, from its router. */
export const routes: ReadonlyArray<string> = [...router.matchAll(/^\s*path: "([^"]+)"/gm)].map(([, path = ""]) => path)

/** The screens that are visited, by role: their paths as the router writes them, each with a text that is there when it has loaded. */
export const visited = {
  PROVIDER: {
    "/": "Cases that wait for a provider",
    "/queue": "Maria Lopez",
    "/search": "Search cases",
    "/account": "Laptop",
    "/device": "Code of the device"
  },
  SUPPORT: { "/": "Open escalations", "/escalations": "Cancellation", "/orders": "Maria Lopez" },
  THIRD_PARTY_ADMIN: { "/": "Start", "/escalations": "Cancellation", "/cases/$caseId": "Comments" },
  ADMIN: {
    "/payments": "Wants to know more",
    "/payments/$paymentId": "Maria Lopez's case",
    "/webhooks": /results\.txt/,
    "/webhooks/$endpointId": "case.created",
    "/webhooks/$endpointId/$deliveryId": "case.created",
    "/audit": "in cases",
    "/organizations/$organizationId/$part": "Test clinic",
    "/organizations/$organizationId/forms/new": "Without a title",
    "/organizations/$organizationId/forms/$formId": "How much do you weigh?"
  },
  DEVELOPER: {
    "/": "Rate limits",
    "/event-types": "case.created",
    "/scenarios": "Scenarios are for test mode",
    "/request-log": "POST /api/v1/cases",
    "/webhooks": /results\.txt/,
    "/webhooks/$endpointId/$deliveryId": "case.created"
  },
  OPERATOR: {
    "/": "Organizations with troubles",
    "/queue": "Maria Lopez",
    "/organizations": "Test clinic",
    "/payments": "Wants to know more",
    "/jobs": "retired",
    "/health": "Requests per minute",
    "/operators": "Olga Petrova",
    "/promo-codes": "Active",
    "/audit": "Test clinic"
  }
} as const

/** The same where there is nothing to show. */
export const visitedEmpty = {
  PROVIDER: { "/queue": "No case waits", "/queue?show=mine": "You have no open case" },
  SUPPORT: {
    "/queue?show=open": "No case is open",
    "/escalations": "No escalation",
    "/orders": "No order is in error"
  },
  THIRD_PARTY_ADMIN: { "/escalations": "No escalation" },
  ADMIN: {
    "/payments": "No payments",
    "/webhooks": "No webhook endpoints",
    "/audit?action=CASE_OPENED": "No records",
    "/audit?part=glass": "Nobody broke the glass",
    "/organizations/$organizationId/keys": "There is no API key in use",
    "/organizations/$organizationId/products": "There is no product yet",
    "/organizations/$organizationId/forms": "There is no form yet",
    "/organizations/$organizationId/bundles": "There is no bundle yet",
    "/organizations/$organizationId/promo-codes": "There is no promo code yet"
  },
  DEVELOPER: {
    "/request-log": "No requests",
    "/webhooks": "No webhook endpoints",
    "/organizations/$organizationId/keys": "There is no API key in use"
  }
} as const

/** A screen of each kind of list, for what is shown when it cannot be read. */
export const lists = {
  SUPPORT: ["/queue", "/escalations", "/orders"],
  THIRD_PARTY_ADMIN: ["/cases/$caseId"],
  ADMIN: [
    "/payments",
    "/webhooks",
    "/webhooks/$endpointId",
    "/audit",
    "/audit?part=glass",
    "/organizations/$organizationId/members",
    "/organizations/$organizationId/promo-codes"
  ],
  DEVELOPER: ["/request-log", "/webhooks", "/organizations/$organizationId/keys"],
  OPERATOR: ["/organizations", "/jobs", "/operators", "/promo-codes"]
} as const

/** What is shown at `$part` of an organization, each with such a text. */
export const parts = {
  overview: "Contact email",
  keys: "Revoke",
  members: "Jane Rivera",
  "sign-on": "Client secret",
  products: "Semaglutide program",
  forms: /^Form \d+$/,
  bundles: "Bundle",
  "promo-codes": /^CHANGED \d+$/i,
  patients: "Find the patient"
}
