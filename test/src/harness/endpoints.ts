import { Effect } from "effect"
import { type CallOptions, call } from "./call.ts"
import type { Clinic } from "./fixtures.ts"

const path = "/api/v1/webhook-endpoints"

/** An operation on the webhook endpoints of a clinic; `at` is what follows their path. */
export const endpoints = (method: string, { key }: Pick<Clinic, "key">, at = "", options: CallOptions = {}) =>
  call(method, `${path}${at}`, { key, ...options })

/** A URL that an endpoint may have here. */
export const endpointUrl = "https://shop.example.com/events"

/** Adds a webhook endpoint that is told of everything, or as it is changed: what is answered of it. */
export const addEndpoint = (clinic: Pick<Clinic, "key">, changes: Readonly<Record<string, unknown>> = {}) =>
  Effect.map(endpoints("POST", clinic, "", { body: { url: endpointUrl, ...changes } }), ({ json }) => json.data)
