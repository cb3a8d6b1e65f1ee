import { endpoints } from "@care/domain/endpoints"
import { publicCallers } from "@care/domain/http"
import { Effect } from "effect"
import type { Operations } from "./Operations.ts"

/** The endpoint that an operation is of. */
const endpointOf = (operation: string): string => operation.split(": ", 1).join("")

/** Stops the benchmark when an endpoint that somebody outside may call has no operation, or an operation no endpoint. */
export const requireAllEndpoints = (operations: Operations): Effect.Effect<void> => {
  const known = endpoints
    .filter(({ caller }) => caller !== undefined && Object.hasOwn(publicCallers, caller))
    .map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
  const measured = new Set(Object.keys(operations).map(endpointOf))
  const missing = known.filter((endpoint) => !measured.has(endpoint))
  const unknown = [...measured].filter((endpoint) => !known.includes(endpoint))
  return missing.length + unknown.length === 0
    ? Effect.void
    : Effect.die(
        new Error(
          `Endpoints without an operation: ${missing.join(", ")}. Operations without an endpoint: ${unknown.join(", ")}.`
        )
      )
}
