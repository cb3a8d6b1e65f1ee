/** The port of the gateway, unless `PORT` says another. */
export const gatewayPort = 8080

/**
 * The services behind the gateway, by name: the port that each listens on unless `PORT` says another, and the variable that
 * tells the others where it is, which is at this port of the same machine unless it is set. The contracts
 * are elsewhere (`endpoints.ts`), so that whoever starts processes need not load them.
 */
export const peers = {
  auth: { port: 8081, urlVariable: "AUTH_URL" },
  cases: { port: 8082, urlVariable: "CASES_URL" },
  payments: { port: 8083, urlVariable: "PAYMENTS_URL" },
  scheduling: { port: 8084, urlVariable: "SCHEDULING_URL" }
} as const

export type ServiceName = keyof typeof peers
