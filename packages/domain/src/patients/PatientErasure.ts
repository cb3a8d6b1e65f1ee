import { Record, Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId, UserId } from "../Ids.ts"
import { peers } from "../peers.ts"

/** What was done to erase a patient. `pending`: the services that could not be told yet; a job tells them. */
export const PatientErasure = Schema.Struct({
  userId: UserId,
  organizationId: OrganizationId,
  erasedAt: Timestamp,
  pending: Schema.Array(Schema.Literals(Record.keys(peers)))
}).annotate({ identifier: "PatientErasure" })
export type PatientErasure = typeof PatientErasure.Type

/** The user is a member of staff, whose records are the organization's. */
export class UserIsStaff extends Schema.TaggedError<UserIsStaff>()("UserIsStaff", { userId: UserId }) {}

/** The patient has a case that the care team works on, or will. */
export class PatientHasActiveCase extends Schema.TaggedError<PatientHasActiveCase>()("PatientHasActiveCase", {
  userId: UserId
}) {}
