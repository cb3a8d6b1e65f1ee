import type { Cancellation } from "./providerObjects.ts"

/** Who cancelled a meeting and why, as far as the provider says. */
export interface MeetingCancellation {
  readonly canceledBy: string | null
  readonly reason: string | null
}

export const cancellationOf = (cancellation: Cancellation | null | undefined): MeetingCancellation => ({
  canceledBy: cancellation?.canceled_by ?? null,
  reason: cancellation?.reason ?? null
})
