import { Record, Schema } from "effect"
import { peers } from "../peers.ts"

/**
 * The number of a service's examined rows that a key of `PHI_KEY` seals. `isSealing` marks the key that seals new rows.
 */
export const ServicePhiKey = Schema.Struct({ keyId: Schema.String, isSealing: Schema.Boolean, rows: Schema.Natural })
export type ServicePhiKey = typeof ServicePhiKey.Type

/** A key's count with its service. */
export const PhiKey = Schema.Struct({
  service: Schema.Literals(Record.keys(peers)),
  ...ServicePhiKey.fields
}).annotate({ identifier: "PhiKey" })
export type PhiKey = typeof PhiKey.Type
