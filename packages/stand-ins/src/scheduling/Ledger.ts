import type { EventDelivery } from "../standIn/EventDeliveries.ts"
import { StandInLedger } from "../standIn/StandInLedger.ts"
import type { Booking } from "./Booking.ts"
import type { EventKind, Subscription } from "./Subscription.ts"

/** An event for a subscription, with its body. */
export interface SentEvent {
  readonly id: string
  readonly type: EventKind
  readonly subscription: string
  /** The booking that the event is of. */
  readonly booking: string
  readonly body: string
}

interface Rows {
  readonly booking: Booking
  readonly event: SentEvent
  readonly delivery: EventDelivery
  readonly subscription: Subscription
}

/** Holds everything that the stand-in knows, in memory and, if there is one, in a file. */
export class Ledger extends StandInLedger<Rows> {
  constructor(file: string | undefined) {
    super({ booking: new Map(), event: new Map(), delivery: new Map(), subscription: new Map() }, file)
  }
}
