import { Schema, Struct } from "effect"
import { Actor } from "../http/Actor.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { caseActivities } from "./caseActivities.ts"

/**
 * An entry of a case's activity. Entries are numbered 1, 2, 3, ... without gaps, in the order of their effect;
 * `caseActivities` has the `details` of each type.
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
