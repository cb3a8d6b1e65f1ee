import { Record, Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId, UserId } from "../Ids.ts"
import { peers } from "../peers.ts"

/** The result of an erasure. `pending` are the services that did not answer yet; a job asks them again. */
export const PatientErasure = Schema.Struct({
  userId: UserId,
  organizationId: OrganizationId,
  erasedAt: Timestamp,
  pending: Schema.Array(Schema.Literals(Record.keys(peers)))
}).annotate({ identifier: "PatientErasure" })
export type PatientErasure = typeof PatientErasure.Type

/** The user is a member of staff, whose records belong to the organization. */
export class UserIsStaff extends Schema.TaggedError<UserIsStaff>()("UserIsStaff", { userId: UserId }) {}

/** The patient has an active case. */
export class PatientHasActiveCase extends Schema.TaggedError<PatientHasActiveCase>()("PatientHasActiveCase", {
  userId: UserId
}) {}
