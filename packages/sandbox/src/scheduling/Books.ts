import type { Delivery } from "../standIn/Deliveries.ts"
import { StandInBooks } from "../standIn/StandInBooks.ts"
import type { Booking } from "./Booking.ts"

/** Something that happened, with the body that tells of it. */
export interface SentEvent {
  readonly id: string
  readonly type: "invitee.canceled" | "invitee.created"
  /** The scheduled event that it is about. */
  readonly booking: string
  readonly body: string
}

interface Rows {
  readonly booking: Booking
  readonly event: SentEvent
  readonly delivery: Delivery
}

/** All that the stand-in knows, in memory, and in a file if there is one. */
export class Books extends StandInBooks<Rows> {
  constructor(file: string | undefined) {
    super({ booking: new Map(), event: new Map(), delivery: new Map() }, file)
  }
}
