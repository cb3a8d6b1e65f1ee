import type { Cancellation } from "./providerObjects.ts"

/** Who cancelled a meeting and why, as far as the provider says. */
export interface MeetingCancellation {
  readonly canceledBy: string | null
  readonly reason: string | null
}

export const cancellationOf = (said: Cancellation | null | undefined): MeetingCancellation => ({
  canceledBy: said?.canceled_by ?? null,
  reason: said?.reason ?? null
})
