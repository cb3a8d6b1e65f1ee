/** The default port of the gateway. */
export const gatewayPort = 8080

/**
 * The services behind the gateway, by name: the default port of each, and the variable with its URL, which by default
 * is that port of this machine. The contracts are in `endpoints.ts`, so that starting processes does not load them.
 */
export const peers = {
  auth: { port: 8081, urlVariable: "AUTH_URL" },
  cases: { port: 8082, urlVariable: "CASES_URL" },
  payments: { port: 8083, urlVariable: "PAYMENTS_URL" },
  scheduling: { port: 8084, urlVariable: "SCHEDULING_URL" }
} as const

export type ServiceName = keyof typeof peers
