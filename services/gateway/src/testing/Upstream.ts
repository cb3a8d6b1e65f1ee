import type { IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import type { ResolvedKey, Scope } from "@care/domain/auth"
import { ApiKeyId, OrganizationId } from "@care/domain/ids"
import { keyHash } from "@care/service-kit"
import { serveListener } from "@care/service-kit/testing"
import { Effect } from "effect"

/** The keys of three organizations. */
export const keys = { one: "cv_one", two: "cv_two", three: "cv_three" } as const

const apiKeyId = ApiKeyId.make("1b241101-e2bb-4255-8caf-4136c566a962")

const organizations = new Map([
  [keyHash(keys.one), OrganizationId.make("3b241101-e2bb-4255-8caf-4136c566a962")],
  [keyHash(keys.two), OrganizationId.make("9b241101-e2bb-4255-8caf-4136c566a962")],
  [keyHash(keys.three), OrganizationId.make("cb241101-e2bb-4255-8caf-4136c566a962")]
])

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))

/** Answers a forwarded request. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** Answers the look-up of a key as auth does. The organizations are found by the hash of a key, and have the same restrictions. */
export const resolveTo =
  (known: ReadonlyMap<string, OrganizationId>, restrictions: Partial<ResolvedKey> = {}): Handle =>
  async (request, response) => {
    const organizationId = known.get(JSON.parse(await text(request)).keyHash)
    if (organizationId === undefined) json(response, 404, { _tag: "KeyNotRecognized" })
    else json(response, 200, { organizationId, apiKeyId, ...restrictions })
  }

export const resolveKnownKey: Handle = resolveTo(organizations)

/** Answers the look-up of a known key of a sandbox, which has only some scopes. */
export const resolveScopedKey = (scopes: ReadonlyArray<Scope>): Handle =>
  resolveTo(organizations, { scopes, isTest: true })

/** Answers the look-up of a known key, which is one of a sandbox. */
export const resolveTestKey: Handle = resolveTo(organizations, { isTest: true })

/** Answers the look-up of a known key, which works from some networks alone. */
export const resolveKeyOfNetworks = (allowedNetworks: ReadonlyArray<string>): Handle =>
  resolveTo(organizations, { allowedNetworks })

/** Answers a request with the length of its body. */
export const answerLength: Handle = (request, response) => {
  let length = 0
  request.on("data", (chunk) => {
    length += chunk.length
  })
  request.on("end", () => json(response, 200, { length }))
}

/** Answers that requests were stored in the request log. */
export const storeAll: Handle = (request, response) => {
  request.resume()
  json(response, 200, { waiting: [], full: [] })
}

/** What auth and the owners of ids know of staff: sessions by token, and the organizations of ids. A test may change them. */
export interface KnownStaff {
  readonly sessions: Map<string, object>
  readonly owners: Map<string, string>
}

const resolveStaff = async ({ sessions }: KnownStaff, request: IncomingMessage, response: ServerResponse) => {
  const session = sessions.get(JSON.parse(await text(request)).token)
  if (session === undefined) json(response, 404, { _tag: "SessionUnknown" })
  else json(response, 200, session)
}

const findOwner = ({ owners }: KnownStaff, { url = "" }: IncomingMessage, response: ServerResponse) => {
  const organizationId = owners.get(url.split("/").at(-1) ?? "")
  json(response, 200, organizationId === undefined ? { isOwn: false } : { isOwn: true, organizationId })
}

/**
 * Fakes the four services: resolves keys and sessions of staff, knows the owners of ids, and passes everything else to `handle`. Returns its
 * URL and the targets of the forwarded requests.
 */
export const upstream = Effect.fnUntraced(function* (
  resolveKey: Handle,
  handle: Handle,
  staff?: KnownStaff,
  storeRequests: Handle = storeAll,
  reachedQuotas: ReadonlyArray<object> = []
) {
  const targets: Array<string> = []
  const { url } = yield* serveListener((request, response) => {
    if (request.url === "/internal/v1/keys/resolve") {
      resolveKey(request, response)
      return
    }
    if (staff !== undefined && request.url === "/internal/v1/staff-sessions/resolve") {
      resolveStaff(staff, request, response)
      return
    }
    if (staff !== undefined && request.url?.startsWith("/internal/v1/ids/")) {
      findOwner(staff, request, response)
      return
    }
    // The gateway asks this by itself.
    if (request.url === "/internal/v1/usage/reached") {
      json(response, 200, reachedQuotas)
      return
    }
    if (request.url === "/internal/v1/request-logs") {
      storeRequests(request, response)
      return
    }
    targets.push(`${request.method} ${request.url}`)
    handle(request, response)
  })
  return { url, targets }
})
