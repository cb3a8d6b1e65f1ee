import { Schema } from "effect"
import { type BookingInvitee, noTracking, Tracking } from "./Booking.ts"
import { book } from "./bookings.ts"
import { type Call, checkPlan } from "./Call.ts"
import { typeAt } from "./eventTypes.ts"
import { locationKinds } from "./location.ts"
import { email, optional, time, timeZone, uriOf } from "./params.ts"
import { invalid } from "./Refusal.ts"
import { route } from "./route.ts"
import { shownInvitee } from "./shown.ts"

const Named = Schema.Struct({
  email,
  timezone: timeZone,
  name: optional(Schema.String),
  first_name: optional(Schema.String),
  last_name: optional(Schema.String)
})

const New = Schema.Struct({
  event_type: uriOf("event_types"),
  start_time: time,
  invitee: Named,
  location: Schema.Struct({ kind: Schema.Literals(locationKinds) }),
  tracking: optional(Tracking)
})

const inviteeOf = ({ email, first_name, last_name, name, timezone }: typeof Named.Type): BookingInvitee => {
  const whole = name ?? [first_name, last_name].filter((part) => part !== undefined).join(" ")
  if (whole.trim() === "") throw invalid({ parameter: "invitee.name", message: "or first_name has to be given" })
  return { email, timezone, name: whole, firstName: first_name ?? null, lastName: last_name ?? null }
}

const create = (call: Call, { event_type, invitee, location, start_time, tracking }: typeof New.Type) => {
  checkPlan(call)
  const booking = book(call, typeAt(event_type), {
    invitee: inviteeOf(invitee),
    location: location.kind,
    start: start_time,
    tracking: tracking ?? noTracking
  })
  return { resource: shownInvitee(call, booking) }
}

/** The route of bookings: a new invitee, and with it a scheduled event. A repeated request is another booking. */
export const inviteeRoutes = [route("POST", "/invitees", New, create)]
