import type { Delivery } from "../standIn/Deliveries.ts"
import { StandInLedger } from "../standIn/StandInLedger.ts"
import type { Booking } from "./Booking.ts"
import type { EventKind, Subscription } from "./Subscription.ts"

/** Something that happened, with the body that tells of it. */
export interface SentEvent {
  readonly id: string
  readonly type: EventKind
  /** Who is told of it. */
  readonly subscription: string
  /** The scheduled event that it is about. */
  readonly booking: string
  readonly body: string
}

interface Rows {
  readonly booking: Booking
  readonly event: SentEvent
  readonly delivery: Delivery
  readonly subscription: Subscription
}

/** All that the stand-in knows, in memory, and in a file if there is one. */
export class Ledger extends StandInLedger<Rows> {
  constructor(file: string | undefined) {
    super({ booking: new Map(), event: new Map(), delivery: new Map(), subscription: new Map() }, file)
  }
}
