import type { CaseAge, CaseSearchQuery, Dashboard } from "@care/domain/cases"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { Schema } from "effect"

const QueueView = Schema.Literals(["waiting", "mine", "assigned", "begun", "open"])
export type QueueView = typeof QueueView.Type

const QueueOrder = Schema.Literals(["urgent", "newest"])
export type QueueOrder = typeof QueueOrder.Type

const ages = ["underOneHour", "underFourHours", "underOneDay", "longer"] as const satisfies ReadonlyArray<CaseAge>

/** The view, the order and the age of the cases of the queue, as the address of the screen has them. */
export const QueueSearch = Schema.Struct({
  show: Schema.optional(QueueView),
  order: Schema.optional(QueueOrder),
  age: Schema.optional(Schema.Literals(ages))
})
export type QueueSearch = typeof QueueSearch.Type

/** The views of the queue, in the order in which they are shown. Only a provider has cases of their own, and no others that are assigned. */
export const queueViews: ReadonlyArray<{ readonly view: QueueView; readonly title: string; readonly role?: string }> = [
  { view: "waiting", title: "Waiting" },
  { view: "mine", title: "Mine", role: "PROVIDER" },
  { view: "assigned", title: "Not begun" },
  { view: "begun", title: "In progress" },
  { view: "open", title: "All open" }
]

export const ageTitles: Readonly<Record<CaseAge, string>> = {
  underOneHour: "Under an hour",
  underFourHours: "One to four hours",
  underOneDay: "Four hours to a day",
  longer: "Over a day"
}

const numberOf = (counts: Dashboard["waiting"]) => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Returns how many cases a provider has, of their counts. */
export const mineOf = ({ assigned, inProgress }: Dashboard): number => numberOf(assigned) + inProgress

/**
 * Returns the view that the queue opens with: what waits; for a provider for whom nothing waits, but who has cases, what is theirs. With
 * automatic assignment nothing ever waits.
 */
export const openingView = (counts: Dashboard, role: string): QueueView =>
  role === "PROVIDER" && numberOf(counts.waiting) === 0 && mineOf(counts) > 0 ? "mine" : "waiting"

const statuses: Readonly<Record<QueueView, NonNullable<CaseSearchQuery["status"]>>> = {
  waiting: "OPEN",
  mine: "ACTIVE",
  assigned: "ASSIGNED",
  begun: "IN_PROGRESS",
  open: "ACTIVE"
}

/** What the cases of a view have in common. */
export type QueueFilter = Pick<CaseSearchQuery, "organizationId" | "status" | "isArchived" | "assignedTo">

export const queueFilter = (
  view: QueueView,
  organizationId: OrganizationId | undefined,
  userId: UserId
): QueueFilter => ({
  ...(organizationId !== undefined && { organizationId }),
  isArchived: "false",
  status: statuses[view],
  ...(view === "mine" && { assignedTo: userId })
})
