import type { IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
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

/** Answers the look-up of a key as auth does. The organizations are found by the hash of a key. */
export const resolveTo =
  (known: ReadonlyMap<string, OrganizationId>): Handle =>
  async (request, response) => {
    const organizationId = known.get(JSON.parse(await text(request)).keyHash)
    if (organizationId === undefined) json(response, 404, { _tag: "KeyNotRecognized" })
    else json(response, 200, { organizationId, apiKeyId })
  }

export const resolveKnownKey: Handle = resolveTo(organizations)

/** Answers a request with the length of its body. */
export const answerLength: Handle = (request, response) => {
  let length = 0
  request.on("data", (chunk) => {
    length += chunk.length
  })
  request.on("end", () => json(response, 200, { length }))
}

/**
 * Fakes the four services: resolves keys, and passes everything else to `handle`. Returns its URL and the targets of
 * the forwarded requests.
 */
export const upstream = Effect.fnUntraced(function* (resolveKey: Handle, handle: Handle) {
  const targets: Array<string> = []
  const { url } = yield* serveListener((request, response) => {
    if (request.url === "/internal/v1/keys/resolve") {
      resolveKey(request, response)
      return
    }
    // The gateway asks this by itself.
    if (request.url === "/internal/v1/usage/reached") {
      json(response, 200, [])
      return
    }
    targets.push(`${request.method} ${request.url}`)
    handle(request, response)
  })
  return { url, targets }
})
