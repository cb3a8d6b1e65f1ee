import { requestControl, sharedControls } from "../standIn/requestControl.ts"
import type { ReceivedRequest } from "./Api.ts"
import type { BookingCancellation } from "./Booking.ts"
import type { shownEvent, shownInvitee } from "./shown.ts"

interface Controlled {
  readonly url: string
  readonly token: string
}

/** A booking as the provider shows it: the scheduled event, and its invitee. */
export interface Booked {
  readonly event: ReturnType<typeof shownEvent>
  readonly invitee: ReturnType<typeof shownInvitee>
}

/**
 * The operations of tests on the stand-in for the scheduling provider. `event` is the id of a scheduled event. A refusal is a
 * defect.
 */
export const schedulingControl = ({ token, url }: Controlled) => {
  const request = requestControl(url, token)
  return {
    ...sharedControls<ReceivedRequest>(request),
    /** Books a slot on the host's page, by default for another person. Times are in UTC, ISO 8601. */
    takeSlot: (eventType: string, startTime: string, email?: string) =>
      request<Booked>("POST", "events", {
        event_type: eventType,
        start_time: startTime,
        ...(email !== undefined && { email })
      }),
    /** Sets whether conferences have no link yet. */
    haveLinksLate: (areLate: boolean) => request("PUT", "links", { are_late: areLate }),
    /** Sets whether the account has the free plan, which may neither book nor register webhooks. */
    haveFreePlan: (isFree: boolean) => request("PUT", "plan", { is_free: isFree }),
    /**
     * Disables every subscription, as the provider does after 24 hours of failed deliveries. Waiting deliveries are dropped.
     */
    disableSubscriptions: request("PUT", "subscriptions", { state: "disabled" }),
    /** Cancels a meeting as its host, or the booking of an invitee, by default the first. */
    cancel: (event: string, by: BookingCancellation["by"], reason?: string, email?: string) =>
      request<Booked>("POST", `events/${event}/cancel`, {
        by,
        ...(reason !== undefined && { reason }),
        ...(email !== undefined && { email })
      }),
    /** Moves a meeting to another slot as its invitee or host. */
    reschedule: (event: string, by: BookingCancellation["by"], startTime: string, timezone?: string) =>
      request<Booked>("POST", `events/${event}/reschedule`, {
        by,
        start_time: startTime,
        ...(timezone !== undefined && { timezone })
      })
  }
}
