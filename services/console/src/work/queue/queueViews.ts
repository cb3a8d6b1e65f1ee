import type { CaseSearchQuery } from "@care/domain/cases"
import type { OrganizationId, UserId } from "@care/domain/ids"

export type QueueView = "waiting" | "mine" | "open"
export type QueueOrder = "oldest" | "newest"

/** What the URL says about the queue. */
export interface QueueSearch {
  readonly show?: QueueView
  readonly order?: QueueOrder
}

/** Reads what the URL says; the rest is left out. */
export const queueSearchOf = ({ order, show }: Readonly<Record<string, unknown>>): QueueSearch => ({
  ...((show === "mine" || show === "open") && { show }),
  ...(order === "newest" && { order })
})

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
