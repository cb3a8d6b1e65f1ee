import type { Member } from "@care/domain/auth"
import { MemberRole } from "@care/domain/auth/Role"

export const roles = MemberRole.literals

/** What is typed about a member. */
export interface MemberDraft {
  readonly firstName: string
  readonly lastName: string
  readonly role: MemberRole
  readonly title: string
  readonly titleSuffix: string
  readonly npi: string
  readonly dea: string
  readonly licensedStates: string
}

export const emptyDraft: MemberDraft = {
  firstName: "",
  lastName: "",
  role: "PROVIDER",
  title: "",
  titleSuffix: "",
  npi: "",
  dea: "",
  licensedStates: ""
}

export const draftOf = (member: Member): MemberDraft => ({
  firstName: member.firstName,
  lastName: member.lastName,
  role: roles.find((role) => role === member.role) ?? "SUPPORT",
  title: member.title ?? "",
  titleSuffix: member.titleSuffix ?? "",
  npi: member.npi ?? "",
  dea: member.dea ?? "",
  licensedStates: member.licensedStates.join(", ")
})
