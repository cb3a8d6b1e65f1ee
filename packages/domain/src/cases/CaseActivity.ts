import { Schema, Struct } from "effect"
import { Actor } from "../http/Actor.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { caseActivities } from "./caseActivities.ts"

/**
 * One thing that happened to a case. Those of a case are numbered 1, 2, 3, ... without gaps, in the order in which they took
 * effect; `caseActivities` says what `details` each type has.
 */
export const CaseActivity = Schema.Struct({
  id: Schema.String,
  sequence: Schema.Int,
  type: Schema.Literals(Struct.keys(caseActivities)),
  actor: Actor,
  at: Timestamp,
  details: Schema.Record(Schema.String, Schema.String)
}).annotate({ identifier: "CaseActivity" })
export type CaseActivity = typeof CaseActivity.Type
