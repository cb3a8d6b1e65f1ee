import { canTransition, OrderStatus } from "@care/domain/admin"
import type { OrderChange } from "@care/domain/cases"
import { inWords } from "../../ui/words.ts"

/** What a person fills in to change an order in error. */
export interface OrderDraft {
  readonly status: OrderStatus
  readonly trackingId: string
  readonly trackingUrl: string
  readonly carrierName: string
  readonly message: string
}

/** Nothing is changed yet. */
export const unchanged: OrderDraft = {
  status: "ERROR",
  trackingId: "",
  trackingUrl: "",
  carrierName: "",
  message: ""
}

/** The statuses that the care team may give an order in error; it may stay as it is. */
export const statusOptions: ReadonlyArray<{ readonly value: OrderStatus; readonly text: string }> = [
  { value: "ERROR", text: "Still in error" },
  ...OrderStatus.literals
    .filter((status) => canTransition("backOffice", "ERROR", status))
    .map((value) => ({ value, text: inWords(value) }))
]

/** Whether the tracking link is one that a page may show. */
export const hasLink = ({ trackingUrl }: OrderDraft): boolean =>
  trackingUrl.trim() === "" || (/^https?:\/\/[^\s\\]+$/i.test(trackingUrl.trim()) && URL.canParse(trackingUrl.trim()))

/** Returns the change that was filled in; undefined if there is none. */
export const orderChangeOf = ({ status, ...texts }: OrderDraft): OrderChange | undefined => {
  const filled = Object.entries(texts).flatMap(([name, text]) => (text.trim() === "" ? [] : [[name, text.trim()]]))
  const change: OrderChange = { ...(status !== "ERROR" && { status }), ...Object.fromEntries(filled) }
  return Object.keys(change).length === 0 ? undefined : change
}
