import { Books } from "../standIn/Books.ts"
import type { Delivery } from "../standIn/Deliveries.ts"
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

export type SchedulingBooks = Books<Rows>

/** What the stand-in keeps, in a file if there is one. */
export const schedulingBooks = (file: string | undefined): SchedulingBooks =>
  new Books<Rows>({ booking: new Map(), event: new Map(), delivery: new Map() }, file)
