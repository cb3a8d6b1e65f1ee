import { CalendarEventId, OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Schema } from "effect"

/**
 * Finds out what became of a booking that the provider was asked for, if nobody knows by then (`Bookings.settle`). It is committed with
 * the booking, before the provider is asked, and ends with it.
 */
export class BookingSettling extends Job.make<BookingSettling>()("booking", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, bookingId: CalendarEventId }),
  retries: Job.forThreeDays,
  concurrency: 2,
  cancelledWith: ({ bookingId }) => bookingId
}) {}
