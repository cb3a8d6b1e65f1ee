import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { type ApiVersion, answerTransform, apiVersions, versionHeader } from "@care/domain/versions"
import { Effect, Option, Record } from "effect"
import { HttpBody, HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { operationOf, readObject } from "./readObject.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Where partners read what changed. */
export const changelogPath = "/docs/changelog"

// An answer in a deprecated version has the headers of RFC 9745 and RFC 8594.
const headersOf = Record.map(apiVersions, ({ deprecation }, version): Readonly<Record<string, string>> => {
  const applied = { [versionHeader]: version }
  if (deprecation === undefined) return applied
  return {
    ...applied,
    deprecation: `@${deprecation.since.getTime() / 1000}`,
    sunset: deprecation.sunset.toUTCString(),
    link: `<${changelogPath}>; rel="deprecation"; type="text/html"`
  }
})

// The service has bounded it. A long body comes as a stream.
const bytesOf = ({ body }: Response): Effect.Effect<Buffer> => {
  if (body._tag === "Uint8Array") return Effect.succeed(Buffer.from(body.body))
  if (body._tag !== "Raw" || !(body.body instanceof Readable)) return Effect.succeed(Buffer.alloc(0))
  const stream = body.body
  return Effect.promise(() => buffer(stream))
}

/** Returns an answer of the current version in another one, with the headers of that. Only if its body differs is it read. */
export const inVersion = (
  endpoint: HttpApiEndpoint.Top,
  version: ApiVersion,
  response: Response
): Effect.Effect<Response> => {
  const named = HttpServerResponse.setHeaders(response, headersOf[version])
  const transform = answerTransform(version, operationOf(endpoint), response.status)
  if (transform === undefined) return Effect.succeed(named)
  return Effect.map(bytesOf(response), (bytes) => {
    const body = Option.match(readObject(bytes), {
      onNone: () => bytes,
      onSome: (object) => Buffer.from(JSON.stringify(transform(object)))
    })
    return HttpServerResponse.setBody(named, HttpBody.uint8Array(body, response.headers["content-type"]))
  })
}
