import { Data, DateTime, Effect, Option } from "effect"
import { BookingSettling } from "./BookingSettling.ts"
import { Bookings, underWay } from "./Bookings.ts"

/** The provider is being asked at the moment. */
class StillAsked extends Data.TaggedError("StillAsked") {
  override get message() {
    return "The provider is still being asked"
  }
}

/**
 * Does the job: a booking that the provider has is stored, though nobody asks again; one that it does not have came to nothing,
 * until the partner asks again or the provider tells of it.
 */
export const layerBookingSettling = BookingSettling.worker(
  Effect.gen(function* () {
    const bookings = yield* Bookings
    return Effect.fnUntraced(function* ({ bookingId, organizationId }) {
      const found = yield* bookings.find(organizationId, bookingId)
      if (Option.isNone(found) || found.value.state === "BOOKED") return
      const booking = found.value
      const until = DateTime.addDuration(DateTime.fromDateUnsafe(booking.askedAt), underWay)
      if (DateTime.isGreaterThan(until, yield* DateTime.now)) return yield* new StillAsked()
      const meeting = yield* bookings.look(booking)
      if (Option.isNone(meeting)) return yield* bookings.giveUp(booking)
      // Of two bookings that look for the same meeting, the other one was first.
      yield* bookings
        .store(booking, meeting.value)
        .pipe(Effect.catchTag("MeetingTaken", () => bookings.giveUp(booking)))
    })
  })
)
