import { Schema } from "effect"

/** The roles of an organization's staff. */
export const MemberRole = Schema.Literals(["PROVIDER", "THIRD_PARTY_ADMIN", "SUPPORT", "ADMIN", "DEVELOPER"])
export type MemberRole = typeof MemberRole.Type

/** The roles of staff. `OPERATOR` is a person of the platform, and a member of its reserved organization. */
export const StaffRole = Schema.Literals([...MemberRole.literals, "OPERATOR"])
export type StaffRole = typeof StaffRole.Type

/** The role of a person: `USER` is a patient, the others are staff. */
export const Role = Schema.Literals(["USER", ...StaffRole.literals])
