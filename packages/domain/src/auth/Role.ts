import { Schema } from "effect"

/** The roles that a member (staff) of an organization may have. */
export const MemberRole = Schema.Literals(["PROVIDER", "THIRD_PARTY_ADMIN", "SUPPORT", "ADMIN"])
export type MemberRole = typeof MemberRole.Type

/** What a person is: `USER` is a patient, the others are staff of an organization. */
export const Role = Schema.Literals(["USER", ...MemberRole.literals])
export type Role = typeof Role.Type
