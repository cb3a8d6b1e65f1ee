import type { CaseSearchQuery } from "@care/domain/cases"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { Schema } from "effect"

const QueueView = Schema.Literals(["waiting", "mine", "open"])
export type QueueView = typeof QueueView.Type

const QueueOrder = Schema.Literals(["oldest", "newest"])
export type QueueOrder = typeof QueueOrder.Type

/** The view and the order of the queue, as the address of the screen has them. */
export const QueueSearch = Schema.Struct({ show: Schema.optional(QueueView), order: Schema.optional(QueueOrder) })
export type QueueSearch = typeof QueueSearch.Type

/** The views of the queue, in the order in which they are shown. Only a provider has cases of their own. */
export const queueViews: ReadonlyArray<{ readonly view: QueueView; readonly title: string; readonly role?: string }> = [
  { view: "waiting", title: "Waiting" },
  { view: "mine", title: "Mine", role: "PROVIDER" },
  { view: "open", title: "All open" }
]

/** What the cases of a view have in common. */
export type QueueFilter = Pick<CaseSearchQuery, "organizationId" | "status" | "isArchived" | "assignedTo">

export const queueFilter = (
  view: QueueView,
  organizationId: OrganizationId | undefined,
  userId: UserId
): QueueFilter => ({
  ...(organizationId !== undefined && { organizationId }),
  isArchived: "false",
  status: view === "waiting" ? "OPEN" : "ACTIVE",
  ...(view === "mine" && { assignedTo: userId })
})
