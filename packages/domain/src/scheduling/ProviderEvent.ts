import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { ExternalJson } from "../http/JsonAnswer.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"

/** An event as the scheduling provider sends it: what it is about is read as far as it concerns an appointment. */
export const ProviderEvent = Schema.Struct({
  event: nonBlankUpTo(lengths.name),
  created_at: Timestamp,
  payload: ExternalJson
}).annotate({ identifier: "SchedulingProviderEvent" })
export type ProviderEvent = typeof ProviderEvent.Type
