import { Schema } from "effect"

/** What a person is: `USER` is a patient, the others are staff of an organization. */
export const Role = Schema.Literals(["USER", "PROVIDER", "THIRD_PARTY_ADMIN", "SUPPORT", "ADMIN"])
export type Role = typeof Role.Type

/** The roles that a member (staff) of an organization may have. */
export const MemberRole = Schema.Literals(["PROVIDER", "THIRD_PARTY_ADMIN", "SUPPORT", "ADMIN"])
export type MemberRole = typeof MemberRole.Type
