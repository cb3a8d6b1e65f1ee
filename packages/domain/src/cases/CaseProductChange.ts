import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { textUpTo } from "../http/Text.ts"
import { ProductId } from "../Ids.ts"
import { IsoDay } from "./IsoDay.ts"

/** The refusal of a request that closes a product and changes its due date. */
export const twoChangesRefusal = "dueDate and status cannot be updated in the same request"

/** A partner's change of a product: closes it, or sets its due date (a day in UTC). */
export const CaseProductChange = Schema.Struct({
  productId: ProductId,
  status: Schema.optional(Schema.Literal("CLOSE")),
  reason: Schema.optional(textUpTo(lengths.paragraph)),
  dueDate: Schema.optional(IsoDay)
}).check(
  Schema.makeFilter(({ dueDate, reason, status }) => {
    if (dueDate !== undefined && status !== undefined) return twoChangesRefusal
    if (dueDate === undefined && status === undefined) return "status or dueDate is required"
    return reason !== undefined && status === undefined
      ? { path: ["reason"], issue: "is possible with status CLOSE only" }
      : undefined
  })
)
export type CaseProductChange = typeof CaseProductChange.Type
