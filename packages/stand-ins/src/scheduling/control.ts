import { Schema } from "effect"
import type { Answer } from "../standIn/Answer.ts"
import type { Deliveries } from "../standIn/Deliveries.ts"
import type { Received } from "../standIn/Received.ts"
import { operationOf, sharedControl } from "../standIn/sharedControl.ts"
import type { Troubles } from "../standIn/Troubles.ts"
import type { Booking } from "./Booking.ts"
import { book, bookingAt, cancel, cancelAll, memberAt, reschedule } from "./bookings.ts"
import type { Call } from "./Call.ts"
import { typeAt } from "./eventTypes.ts"
import { email, time, timeZone } from "./params.ts"
import { readParams } from "./readParams.ts"
import { shownEvent, shownInvitee } from "./shown.ts"
import { disable } from "./subscriptions.ts"
import { noTracking } from "./tracking.ts"

interface Parts {
  /** What the account is like. */
  readonly account: { areLinksLate: boolean; isFree: boolean }
  readonly call: Call
  readonly deliveries: Deliveries
  readonly received: Received<unknown>
  readonly troubles: Troubles
}

const key = Schema.optionalKey
const By = Schema.Literals(["host", "invitee"])

const Booked = Schema.Struct({ event_type: Schema.String, start_time: time, email: key(email) })
const Canceled = Schema.Struct({ by: By, reason: key(Schema.String), email: key(email) })
const Links = Schema.Struct({ are_late: Schema.Boolean })
const Plan = Schema.Struct({ is_free: Schema.Boolean })
const Subscriptions = Schema.Struct({ state: Schema.Literals(["disabled"]) })
const Moved = Schema.Struct({ by: By, start_time: time, timezone: key(timeZone) })

const bookFor = (call: Call, body: unknown): Booking => {
  const { email = "somebody.else@example.com", event_type, start_time } = readParams(Booked, body)
  const invitee = { email, name: "Somebody Else", firstName: null, lastName: null, timezone: "America/New_York" }
  const asked = { invitee, location: "zoom_conference", start: start_time, tracking: noTracking } as const
  return book(call, typeAt(event_type), asked)
}

const disableAll = ({ ledger, now }: Call): void =>
  ledger.transact(() => {
    for (const { id } of ledger.all("subscription")) disable(ledger, id, now)
  })

const done: Answer = { status: 200, body: {} }

/** Does what a test asks for, beside the provider's API: what goes wrong, when events are told, and what people do there. */
export const control = async (parts: Parts, method: string, path: string, body: unknown): Promise<Answer> => {
  const { id, operation } = operationOf(method, path)
  const shared = await sharedControl(parts, operation, body)
  if (shared !== undefined) return shared
  const { call } = parts
  const perform = (work: () => Booking): Answer => {
    const booking = call.ledger.transact(work)
    return { status: 200, body: { event: shownEvent(call, booking), invitee: shownInvitee(call, booking) } }
  }
  switch (operation) {
    case "PUT links":
      parts.account.areLinksLate = readParams(Links, body).are_late
      return done
    case "PUT plan":
      parts.account.isFree = readParams(Plan, body).is_free
      return done
    case "PUT subscriptions":
      readParams(Subscriptions, body)
      disableAll(call)
      return done
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
    default:
      return { status: 404, body: { title: "Not Found", message: "There is no such control." } }
  }
}
