import { Schema } from "effect"

/** The roles of an organization's staff. */
export const MemberRole = Schema.Literals(["PROVIDER", "THIRD_PARTY_ADMIN", "SUPPORT", "ADMIN"])
export type MemberRole = typeof MemberRole.Type

/** The role of a person: `USER` is a patient, the others are staff. */
export const Role = Schema.Literals(["USER", ...MemberRole.literals])
