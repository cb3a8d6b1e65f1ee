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
  OPERATOR: {
    "/": "Choose an organization",
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
