import { Effect } from "effect"
import { type CallOptions, call } from "./call.ts"
import type { Clinic } from "./fixtures.ts"

const path = "/api/v1/webhook-endpoints"

/** Calls an operation on the webhook endpoints of a clinic; `subPath` follows their path. */
export const endpoints = (method: string, { key }: Pick<Clinic, "key">, subPath = "", options: CallOptions = {}) =>
  call(method, `${path}${subPath}`, { key, ...options })

/** A URL that is accepted for an endpoint. */
export const endpointUrl = "https://shop.example.com/events"

/** Adds a webhook endpoint, by default for all events, and returns it. */
export const addEndpoint = (clinic: Pick<Clinic, "key">, changes: Readonly<Record<string, unknown>> = {}) =>
  Effect.map(endpoints("POST", clinic, "", { body: { url: endpointUrl, ...changes } }), ({ json }) => json.data)
