import { askControl, sharedQuestions } from "../standIn/askControl.ts"
import type { ReceivedRequest } from "./Api.ts"
import type { Cancellation } from "./Booking.ts"
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
 * What tests ask of the stand-in for the scheduling provider, beside what its API is asked. `event` is the id of a scheduled
 * event, the end of its URI. Fails as a defect with what was refused.
 */
export const schedulingControl = ({ token, url }: Controlled) => {
  const ask = askControl(url, token)
  return {
    ...sharedQuestions<ReceivedRequest>(ask),
    /** Somebody books on the host's page: another person, unless the email says who. Times are in UTC, ISO 8601. */
    takeSlot: (eventType: string, startTime: string, email?: string) =>
      ask<Booked>("POST", "events", {
        event_type: eventType,
        start_time: startTime,
        ...(email !== undefined && { email })
      }),
    /** Whether conferences take their time to be made from now on, and those that are booked show no link. */
    haveLinksLate: (areLate: boolean) => ask("PUT", "links", { are_late: areLate }),
    /** Whether nobody pays for the account from now on: it may not book, nor register who is told of events. */
    haveFreePlan: (isFree: boolean) => ask("PUT", "plan", { is_free: isFree }),
    /**
     * Disables every subscription, as the provider does after 24 hours of failed deliveries: what waits to be told is lost, and
     * nothing is told until somebody registers anew.
     */
    disableSubscriptions: ask("PUT", "subscriptions", { state: "disabled" }),
    /** The host calls a meeting off, for everybody, or an invitee what they booked: who began it, unless an email says who. */
    cancel: (event: string, by: Cancellation["by"], reason?: string, email?: string) =>
      ask<Booked>("POST", `events/${event}/cancel`, {
        by,
        ...(reason !== undefined && { reason }),
        ...(email !== undefined && { email })
      }),
    /** The invitee or the host moves a meeting to another slot, in their time zone if one is given: what it then is. */
    reschedule: (event: string, by: Cancellation["by"], startTime: string, timezone?: string) =>
      ask<Booked>("POST", `events/${event}/reschedule`, {
        by,
        start_time: startTime,
        ...(timezone !== undefined && { timezone })
      })
  }
}
