import { Record, Schema } from "effect"
import { peers } from "../peers.ts"

/**
 * How many of the rows of a service that were looked at a key of `PHI_KEY` seals: `isSealing` is the one that seals what is
 * written now.
 */
export const ServicePhiKey = Schema.Struct({ keyId: Schema.String, isSealing: Schema.Boolean, rows: Schema.Natural })
export type ServicePhiKey = typeof ServicePhiKey.Type

/** The same of any service, as operators see it. */
export const PhiKey = Schema.Struct({
  service: Schema.Literals(Record.keys(peers)),
  ...ServicePhiKey.fields
}).annotate({ identifier: "PhiKey" })
export type PhiKey = typeof PhiKey.Type
