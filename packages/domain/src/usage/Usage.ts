import { Record, Schema } from "effect"
import { StoredKind } from "../http/quotas.ts"
import { peers } from "../peers.ts"

/** What an organization has used of a rate limit in the present window. */
export const RateLimitUsage = Schema.Struct({
  name: Schema.String,
  meaning: Schema.String,
  used: Schema.Natural,
  allowed: Schema.Natural,
  windowSeconds: Schema.Natural
}).annotate({ identifier: "RateLimitUsage" })
export type RateLimitUsage = typeof RateLimitUsage.Type

/** How much of a kind an organization stores in a service, as of some seconds ago, and its quota. */
export const ServiceUsage = Schema.Struct({
  kind: StoredKind,
  unit: Schema.Literals(["ROWS", "BYTES"]),
  used: Schema.Natural,
  allowed: Schema.Natural
})
export type ServiceUsage = typeof ServiceUsage.Type

/** The usage with its service. */
export const Usage = Schema.Struct({
  service: Schema.Literals(Record.keys(peers)),
  ...ServiceUsage.fields
}).annotate({ identifier: "Usage" })
export type Usage = typeof Usage.Type
