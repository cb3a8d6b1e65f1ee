import { randomUUID } from "node:crypto"
import { addDelivery } from "../standIn/EventDeliveries.ts"
import { type Booking, typeOf } from "./Booking.ts"
import type { Call } from "./Call.ts"
import { userUri } from "./Host.ts"
import type { SentEvent } from "./Ledger.ts"
import { micros } from "./params.ts"
import { shownEvent, shownInvitee } from "./shown.ts"

/** Stores an event of a booking, and its delivery, for each active subscription. */
export const emit = (call: Call, type: SentEvent["type"], booking: Booking): void => {
  const body = JSON.stringify({
    event: type,
    created_at: micros(call.now),
    created_by: userUri(call.url, typeOf(booking).host),
    payload: { ...shownInvitee(call, booking), scheduled_event: shownEvent(call, booking) }
  })
  for (const { events, id: subscription, state } of call.ledger.all("subscription")) {
    if (state !== "active" || !events.includes(type)) continue
    const id = randomUUID()
    call.ledger.put("event", id, { id, type, subscription, booking: booking.id, body })
    addDelivery(call.ledger, id, subscription, call.now)
  }
}
