import { isUtf8 } from "node:buffer"
import { type ApiVersion, requestTransform } from "@care/domain/versions"
import { JsonScan } from "@care/service-kit"
import { Option } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { operationOf, readObject } from "./readObject.ts"

// A service refuses the others before it parses them.
const isReadable = (body: Buffer): boolean => isUtf8(body) && new JsonScan().read(body) === undefined

/** Returns the body of a request in the current version. One that is no JSON object is left to the service, which refuses it. */
export const inCurrentVersion = (endpoint: HttpApiEndpoint.Top, version: ApiVersion, body: Buffer): Buffer => {
  const transform = requestTransform(version, operationOf(endpoint))
  if (transform === undefined || !isReadable(body)) return body
  return Option.match(readObject(body), {
    onNone: () => body,
    onSome: (object) => Buffer.from(JSON.stringify(transform(object)))
  })
}
