import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { ExternalJson } from "../http/JsonAnswer.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"

/** An event of the scheduling provider. Its payload is decoded only for events of appointments. */
export const ProviderEvent = Schema.Struct({
  event: nonBlankUpTo(lengths.name),
  created_at: Timestamp,
  payload: ExternalJson
}).annotate({ identifier: "SchedulingProviderEvent" })
export type ProviderEvent = typeof ProviderEvent.Type
