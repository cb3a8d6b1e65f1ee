import { CalendarEventId, OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Schema } from "effect"

/**
 * Determines the outcome of a booking whose request to the provider got no answer (`Bookings.settle`). The job is committed with the
 * booking, before the provider is called, and is cancelled with it.
 */
export class BookingSettling extends Job.make<BookingSettling>()("booking", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, bookingId: CalendarEventId }),
  retries: Job.forThreeDays,
  concurrency: 2,
  cancelledWith: ({ bookingId }) => bookingId
}) {}
