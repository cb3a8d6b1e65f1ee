import { Schema } from "effect"
import type { LocationKind } from "./location.ts"
import { type MeetingType, meetingTypes } from "./MeetingType.ts"

/** The cancellation of a meeting. */
export interface BookingCancellation {
  readonly by: "host" | "invitee"
  readonly reason: string | null
  /** In milliseconds. */
  readonly at: number
}

/** The person that a meeting is booked for. */
export interface BookingInvitee {
  readonly email: string
  readonly name: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly timezone: string
}

const text = Schema.NullOr(Schema.String)

/** The origin of an invitee. */
export const Tracking = Schema.Struct({
  utm_campaign: text,
  utm_source: text,
  utm_medium: text,
  utm_content: text,
  utm_term: text,
  salesforce_uuid: text
})

export const noTracking: typeof Tracking.Type = {
  utm_campaign: null,
  utm_source: null,
  utm_medium: null,
  utm_content: null,
  utm_term: null,
  salesforce_uuid: null
}

/** A place in a meeting: the API shows it as an invitee of a scheduled event. */
export interface Booking {
  /** Also of the scheduled event, unless it is a place in another booking's. */
  readonly id: string
  /** The booking that began the scheduled event, if this one joined it. */
  readonly joined?: string
  readonly inviteeId: string
  readonly eventType: string
  /** In milliseconds, like all times of it. */
  readonly start: number
  readonly end: number
  readonly location: LocationKind
  readonly invitee: BookingInvitee
  readonly tracking: typeof Tracking.Type
  readonly createdAt: number
  readonly updatedAt: number
  readonly cancellation: BookingCancellation | null
  /** The booking that this one was moved from. */
  readonly movedFrom: string | null
  /** The booking that this one was moved to. */
  readonly movedTo: string | null
}

/** Returns the event type of a booking. */
export const typeOf = ({ eventType }: Booking): MeetingType => {
  const found = meetingTypes.find(({ id }) => id === eventType)
  if (found === undefined) throw new Error(`There is no event type ${eventType} any more.`)
  return found
}

/** Returns the id of the scheduled event. */
export const eventIdOf = ({ id, joined }: Booking): string => joined ?? id

/** Returns whether a booking is not canceled. */
export const isActive = ({ cancellation }: Booking): boolean => cancellation === null

/** Returns whether two emails belong to one person. */
export const isSameEmail = (first: string, second: string): boolean => first.toLowerCase() === second.toLowerCase()
