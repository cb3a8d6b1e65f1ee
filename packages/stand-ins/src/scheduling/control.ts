import { Schema } from "effect"
import { type Booking, noTracking } from "./Booking.ts"
import { book, bookingAt, cancel, cancelAll, memberAt, reschedule } from "./bookings.ts"
import type { Call } from "./Call.ts"
import { typeAt } from "./eventTypes.ts"
import { email, optional, time, timeZone } from "./params.ts"
import { readParams } from "./readParams.ts"
import { shownEvent, shownInvitee } from "./shown.ts"
import { disable } from "./subscriptions.ts"

const By = Schema.Literals(["host", "invitee"])

const Booked = Schema.Struct({ event_type: Schema.String, start_time: time, email: optional(email) })
const Canceled = Schema.Struct({ by: By, reason: optional(Schema.String), email: optional(email) })
const Links = Schema.Struct({ are_late: Schema.Boolean })
const Plan = Schema.Struct({ is_free: Schema.Boolean })
const Subscriptions = Schema.Struct({ state: Schema.Literals(["disabled"]) })
const Moved = Schema.Struct({ by: By, start_time: time, timezone: optional(timeZone) })

const bookFor = (call: Call, body: unknown): Booking => {
  const { email = "somebody.else@example.com", event_type, start_time } = readParams(Booked, body)
  const invitee = { email, name: "Somebody Else", firstName: null, lastName: null, timezone: "America/New_York" }
  const request = { invitee, location: "zoom_conference", start: start_time, tracking: noTracking } as const
  return book(call, typeAt(event_type), request)
}

const disableAll = ({ ledger, now }: Call): void =>
  ledger.transact(() => {
    for (const { id } of ledger.all("subscription")) disable(ledger, id, now)
  })

/** Performs an operation of `/control`, and returns undefined for an unknown one. `account` holds the state of the account. */
export const control = (
  call: Call,
  account: { areLinksLate: boolean; isFree: boolean },
  operation: string,
  id: string,
  body: unknown
): unknown => {
  const perform = (work: () => Booking) => {
    const booking = call.ledger.transact(work)
    return { event: shownEvent(call, booking), invitee: shownInvitee(call, booking) }
  }
  switch (operation) {
    case "PUT links":
      account.areLinksLate = readParams(Links, body).are_late
      return {}
    case "PUT plan":
      account.isFree = readParams(Plan, body).is_free
      return {}
    case "PUT subscriptions":
      readParams(Subscriptions, body)
      disableAll(call)
      return {}
    case "POST events":
      return perform(() => bookFor(call, body))
    case "POST events id cancel": {
      const { by, email, reason = null } = readParams(Canceled, body)
      return perform(() =>
        by === "host"
          ? cancelAll(call, bookingAt(call, id), { by, reason })
          : cancel(call, memberAt(call, id, email), { by, reason })
      )
    }
    case "POST events id reschedule": {
      const { start_time: start, ...move } = readParams(Moved, body)
      return perform(() => reschedule(call, bookingAt(call, id), { ...move, start }))
    }
  }
  return undefined
}
