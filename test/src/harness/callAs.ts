import { randomUUID } from "node:crypto"
import { endpoints } from "@care/domain/endpoints"
import { callers, type Identity, type Staff } from "@care/domain/http"
import { IdentityTokens, identityHeader } from "@care/service-kit"
import { Effect, Redacted, Schema } from "effect"
import { type Contract, toHttpRequest } from "../../operations/contracts.ts"
import type { Request } from "../../operations/Request.ts"
import type { Answer } from "./call.ts"
import { Suite } from "./Suite.ts"

const decodeStaff = Schema.decodeUnknownSync(callers.staff.Identity)

/** Returns the identity of a signed-in person. */
export const signedIn = (userId: string, organizationId: string, role: string): Staff =>
  decodeStaff({ _tag: "staff", sessionId: randomUUID(), userId, organizationId, role })

const owners = new Map(endpoints.map(({ endpoint, owner }) => [endpoint, owner]))

/** Returns the service of a contract; undefined for the gateway's own. */
export const serviceOf = ({ endpoint }: Contract) => {
  const owner = owners.get(endpoint)
  return owner === "gateway" ? undefined : owner
}

/** Calls a service as the gateway does for a caller, so that only the service's own checks count. */
export const callAs = Effect.fnUntraced(function* (
  identity: Identity,
  service: "auth" | "cases" | "payments" | "scheduling",
  method: string,
  path: string,
  body?: unknown
) {
  const { secrets, urls } = yield* Suite
  const token = yield* IdentityTokens.make([Redacted.make(secrets.INTERNAL_SECRET)]).mint(identity)
  return yield* Effect.promise(async (): Promise<Answer> => {
    const response = await fetch(`${urls[service]}${path}`, {
      method,
      headers: {
        [identityHeader]: token,
        "x-request-id": randomUUID(),
        ...(body !== undefined && { "content-type": "application/json" })
      },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    const text = await response.text()
    const isJson = response.headers.get("content-type")?.includes("json") === true
    return { status: response.status, headers: response.headers, json: isJson && text !== "" ? JSON.parse(text) : text }
  })
})

/** Sends a request of an operation to its service as a signed-in person. */
export const sendAs = (identity: Staff, contract: Contract, request: Request) => {
  const { body, method, path } = toHttpRequest(contract, request)
  const service = serviceOf(contract)
  if (service === undefined) throw new Error(`${contract.id} is the gateway's own`)
  return callAs(identity, service, method, path, body)
}
