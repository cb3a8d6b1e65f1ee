import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { nameUpTo, nonBlankUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { Uuid } from "../Ids.ts"

export const IncidentId = Uuid.pipe(Schema.brand("IncidentId"))
export type IncidentId = typeof IncidentId.Type

/** How much did not work. */
export const IncidentImpact = Schema.Literals(["DEGRADED", "OUTAGE"])
export type IncidentImpact = typeof IncidentImpact.Type

/** A time in which a part of the platform did not work, as the status page tells it. `text` is the latest news. */
export const Incident = Schema.Struct({
  id: IncidentId,
  title: Schema.String,
  impact: IncidentImpact,
  text: Schema.String,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  resolvedAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Incident" })
export type Incident = typeof Incident.Type

export const NewIncident = Schema.Struct({
  title: nameUpTo(lengths.line),
  impact: IncidentImpact,
  text: nonBlankUpTo(lengths.paragraph)
})
export type NewIncident = typeof NewIncident.Type

/** A change of an incident. A resolved one can be opened again. */
export const IncidentChange = Schema.Struct({
  text: Schema.optional(nonBlankUpTo(lengths.paragraph)),
  impact: Schema.optional(IncidentImpact),
  isResolved: Schema.optional(Schema.Boolean)
})
export type IncidentChange = typeof IncidentChange.Type

export class IncidentNotFound extends Schema.TaggedError<IncidentNotFound>()("IncidentNotFound", {
  incidentId: IncidentId
}) {}
