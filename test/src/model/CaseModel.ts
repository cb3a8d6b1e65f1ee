/** An operation on a case: by a partner, by the care team, or by an event of the payment gateway. */
export type Operation =
  | { readonly kind: "status"; readonly status: "OPEN" | "CLOSE" | "REOPEN" }
  | { readonly kind: "order" }
  | { readonly kind: "escalate"; readonly titles: ReadonlyArray<string> }
  | { readonly kind: "complete"; readonly title: string }
  | { readonly kind: "product"; readonly change: "CLOSE" | "DUE_DATE" }
  | { readonly kind: "assign"; readonly provider: 0 | 1 }
  | { readonly kind: "start" }
  | { readonly kind: "decide"; readonly outcome: "APPROVED" | "REJECTED" | "NO_DECISION" }
  | { readonly kind: "comment" }
  | { readonly kind: "payment"; readonly news: "succeeded" | "failed" }

/** The state of a case in the specification's terms. `activity` has its recorded activities in order. */
export interface CaseModel {
  readonly status: string
  readonly isArchived: boolean
  readonly archiveNote: string | null
  /** The index of the assigned provider. */
  readonly provider: 0 | 1 | null
  readonly isProductClosed: boolean
  readonly hasDueDate: boolean
  /** The titles of active escalations of type `support`. */
  readonly escalations: ReadonlyArray<string>
  readonly orders: number
  readonly isPaid: boolean
  readonly activity: ReadonlyArray<string>
}

/** The resulting case, the status of the response, and the `error` of a refused partner operation. */
interface Outcome {
  readonly after: CaseModel
  readonly status: number
  readonly error?: string
}

/** The note of every CLOSE. */
export const closingNote = "moved to Nevada"

const failureNote = "Payment intent failed"

const given = ["ASSIGNED", "IN_PROGRESS", "APPROVED", "REJECTED", "NO_DECISION"]

/** Returns the effect of an operation on a case and its response, by the specification. */
export const apply = (before: CaseModel, operation: Operation): Outcome => {
  const { activity, escalations, hasDueDate, isArchived, isProductClosed, orders, status } = before
  const done = (changes: Partial<CaseModel>, ...recorded: ReadonlyArray<string>): Outcome => ({
    after: { ...before, ...changes, activity: [...activity, ...recorded] },
    status: 200
  })
  const refused = (error: string): Outcome => ({ after: before, status: 400, error })
  const created = (outcome: Outcome): Outcome => ({ ...outcome, status: 201 })
  const conflict: Outcome = { after: before, status: 409 }

  switch (operation.kind) {
    case "status":
      if (operation.status === "REOPEN") {
        return isArchived
          ? done({ isArchived: false, archiveNote: null }, "CASE_REOPENED")
          : refused("Case is not closed")
      }
      if (isArchived) return refused("Case has been closed")
      if (operation.status === "CLOSE") return done({ isArchived: true, archiveNote: closingNote }, "CASE_CLOSED")
      return ["ASSIGNED", "ABANDONED", "OPEN"].includes(status)
        ? done({ status: "OPEN", provider: null }, "CASE_OPENED")
        : refused(`Case cannot be opened from status ${status}`)
    case "order":
      return isArchived ? refused("Case has been closed") : done({ orders: orders + 1 }, "ORDER_PLACED")
    case "escalate": {
      const active = operation.titles.find((title) => escalations.includes(title))
      if (active !== undefined) return refused(`Escalation already active on this case: support / ${active}`)
      return done(
        { escalations: [...escalations, ...operation.titles] },
        ...operation.titles.map(() => "ESCALATION_ADDED")
      )
    }
    case "complete":
      return escalations.includes(operation.title)
        ? done({ escalations: escalations.filter((title) => title !== operation.title) }, "ESCALATION_COMPLETED")
        : done({})
    case "product":
      if (operation.change === "DUE_DATE") {
        if (isProductClosed) return refused("Due date can only be updated for an open case product")
        return hasDueDate ? done({}) : done({ hasDueDate: true }, "PRODUCT_DUE_DATE_CHANGED")
      }
      return isProductClosed
        ? refused("Case product is already closed")
        : done({ isProductClosed: true }, "PRODUCT_CLOSED")
    case "assign":
      return !isArchived && ["OPEN", "ASSIGNED"].includes(status)
        ? done({ status: "ASSIGNED", provider: operation.provider }, "CASE_ASSIGNED")
        : conflict
    case "start":
      return !isArchived && status === "ASSIGNED" ? done({ status: "IN_PROGRESS" }, "CASE_STARTED") : conflict
    case "decide":
      return !isArchived && given.includes(status)
        ? created(done({ status: operation.outcome }, "DECISION_ADDED"))
        : conflict
    case "payment": {
      const isAbandoned = status === "ABANDONED"
      if (operation.news === "succeeded") {
        if (before.isPaid) return done({})
        return isAbandoned
          ? done(
              { isPaid: true, status: "OPEN", isArchived: false, archiveNote: null },
              "PAYMENT_CHANGED",
              "CASE_OPENED"
            )
          : done({ isPaid: true }, "PAYMENT_CHANGED")
      }
      // Only the first failure changes anything, and only before the payment.
      if (before.isPaid || activity.includes("PAYMENT_CHANGED")) return done({})
      return isAbandoned && !isArchived
        ? done({ isArchived: true, archiveNote: failureNote }, "PAYMENT_CHANGED", "CASE_CLOSED")
        : done({}, "PAYMENT_CHANGED")
    }
    case "comment":
      return created(done({}, "COMMENT_ADDED"))
  }
}
