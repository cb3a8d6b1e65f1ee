import type { AdminCase } from "@care/domain/cases"
import { may } from "../../../client/may.ts"

export type CaseActionName = "claim" | "assign" | "start" | "decide" | "comment" | "escalate"

type Stage = Pick<AdminCase, "status" | "isArchived" | "assignedTo">

const decidable: ReadonlyArray<AdminCase["status"]> = ["ASSIGNED", "IN_PROGRESS", "APPROVED", "REJECTED", "NO_DECISION"]

/**
 * Returns what a person may do with a case, by their role and its status. An operator belongs to no organization, so that no comment
 * or decision is theirs.
 */
export const allowedActions = (
  { assignedTo, isArchived, status }: Stage,
  person: { readonly id: string; readonly role: string }
): ReadonlySet<CaseActionName> => {
  const allows = (operation: string) => may(person.role, "backOffice", operation)
  const isTheirs = assignedTo?.id === person.id
  const isOfOrganization = person.role !== "OPERATOR"
  const rules: Readonly<Record<CaseActionName, boolean>> = {
    claim: person.role === "PROVIDER" && status === "OPEN" && !isArchived,
    assign: allows("assign") && (status === "OPEN" || status === "ASSIGNED") && !isArchived,
    start: allows("start") && status === "ASSIGNED" && !isArchived && (isTheirs || !isOfOrganization),
    decide: allows("decide") && isOfOrganization && decidable.includes(status) && !isArchived,
    comment: allows("comment") && isOfOrganization,
    escalate: may(person.role, "adminEscalations", "add")
  }
  const names: ReadonlyArray<CaseActionName> = ["claim", "assign", "start", "decide", "comment", "escalate"]
  return new Set(names.filter((name) => rules[name]))
}
