import { endpoints, type ServedEndpoint } from "@care/domain/endpoints"
import { allMistakes, mistakesIn } from "@care/domain/http"
import { Effect, Schema } from "effect"
import type { HttpClientResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import { wrongUsage } from "./CommandFailed.ts"
import { failureOf, type GatewayClient } from "./gateway.ts"

/** A request as it is on the wire. */
export interface WireRequest {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
}

const contracts = new Map(
  endpoints.map((served) => [`${served.group.identifier}.${served.endpoint.identifier}`, served])
)

/** Returns the contract of an operation, such as `jobs.retry`. */
export const contractOf = (operation: string): ServedEndpoint => {
  const contract = contracts.get(operation)
  if (contract === undefined) throw new Error(`There is no operation ${operation}`)
  return contract
}

/** Returns the schema of an operation's body in JSON. */
export const bodyOf = ({ endpoint }: ServedEndpoint): Schema.Top | undefined =>
  [...endpoint.payload.values()].flatMap(({ schemas }) => schemas.map((schema) => Schema.toCodecJson(schema)))[0]

const decode = (schema: Schema.Top | undefined, value: unknown, nameOf: (path: string) => string) =>
  schema === undefined
    ? Effect.undefined
    : // The schemas of requests need no services. The type of an endpoint does not say so.
      (Schema.decodeUnknownEffect(schema, allMistakes)(value) as Effect.Effect<unknown, Schema.SchemaError>).pipe(
        Effect.mapError(({ issue }) =>
          wrongUsage(
            mistakesIn(issue)
              .map(({ path, reason }) => `${nameOf(path)}: ${reason.replace(/\b[a-z]+[A-Z]\w*/g, nameOf)}`)
              .join("; ")
          )
        )
      )

/**
 * Calls an operation by the client of its contract, which the request has to fit, and returns the response. `nameOf` names a field of the
 * request for people.
 */
export const callOperation = Effect.fnUntraced(function* (
  httpClient: GatewayClient,
  operation: string,
  { body, params, query }: WireRequest,
  nameOf: (path: string) => string = (path) => path
) {
  const contract = contractOf(operation)
  const { endpoint, group } = contract
  const given = Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== undefined))
  const request = {
    params: yield* decode(endpoint.params, params ?? {}, nameOf),
    query: yield* decode(endpoint.query, given, nameOf),
    payload: yield* decode(bodyOf(contract), body ?? {}, nameOf),
    headers: {},
    responseMode: "response-only" as const
  }
  const client = HttpApiClient.group(HttpApi.make("care").add(group), { group: group.identifier, httpClient })
  const response = Effect.flatMap(client, (calls) => calls[endpoint.identifier]?.(request) ?? Effect.undefined)
  return yield* Effect.mapError(response as Effect.Effect<HttpClientResponse.HttpClientResponse, unknown>, failureOf)
})
