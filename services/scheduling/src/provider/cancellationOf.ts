import type { EventRow } from "../calendarEvents/EventRow.ts"
import type { Cancellation } from "./providerObjects.ts"

/** Who called a meeting off, and why, as far as the provider says it. */
export const cancellationOf = (said: Cancellation | null | undefined): NonNullable<EventRow["cancellation"]> => ({
  canceledBy: said?.canceled_by ?? null,
  reason: said?.reason ?? null
})
