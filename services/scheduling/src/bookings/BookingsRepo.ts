import { CalendarEventId, CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { MeetingLocation } from "@care/domain/scheduling"
import { erasedText, type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects, execute } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/**
 * ASKED: the provider is being called, or the outcome of the call is unknown. MISSING: a later search at the provider found no meeting.
 * BOOKED: the provider has the meeting, and it is stored as an appointment.
 */
const BookingState = Schema.Literals(["ASKED", "MISSING", "BOOKED"])

const erasedRequest = {
  email: erasedText,
  firstName: erasedText,
  lastName: erasedText,
  timezone: "UTC",
  location: "google_conference"
} as const

/** A booking at the provider. `asked` is the content of the request, `id` that of the future appointment. */
export const BookingRow = sealedRow("bookings", ["organizationId", "id"], {
  organizationId: OrganizationId,
  id: CalendarEventId,
  caseId: CaseId,
  userId: UserId,
  eventTypeId: Schema.String,
  startsAt: Schema.Date,
  asked: sealed(
    Schema.Struct({
      email: Schema.String,
      firstName: Schema.String,
      lastName: Schema.String,
      timezone: Schema.String,
      location: MeetingLocation,
      tracking: Schema.optionalKey(Schema.Record(Schema.String, Schema.NullOr(Schema.String)))
    }),
    erasedRequest
  ),
  state: BookingState,
  firstAskedAt: Schema.Date,
  /** The time of the last call. */
  askedAt: Schema.Date
})
export type BookingRow = OpenedRow<typeof BookingRow>

type BookingKey = Pick<BookingRow, "organizationId" | "id">

export const makeBookingsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const bookings = yield* sealedRowsOf(BookingRow)
  const columns = sql`
    organization_id, id, case_id, user_id, event_type_id, starts_at, asked, state, first_asked_at, asked_at
  `

  return {
    find: (organizationId: OrganizationId, id: CalendarEventId) =>
      bookings.first(sql`SELECT ${columns} FROM bookings WHERE organization_id = ${organizationId} AND id = ${id}`),

    /** Inserts a booking as ASKED, or marks a known one so again, unless it is BOOKED. */
    markAsked: (key: PatientKey, booking: BookingRow) =>
      execute(sql`
        INSERT INTO bookings ${sql.insert(bookings.seal(key, booking))}
        ON CONFLICT (organization_id, id) DO UPDATE SET state = excluded.state, asked_at = excluded.asked_at
        WHERE bookings.state <> 'BOOKED'
      `),

    /** Returns false, and changes nothing, when the booking is already BOOKED. */
    markBooked: ({ id, organizationId }: BookingKey) =>
      affects(sql`
        UPDATE bookings SET state = 'BOOKED'
        WHERE organization_id = ${organizationId} AND id = ${id} AND state <> 'BOOKED'
        RETURNING id
      `),

    /** Marks a booking as MISSING, unless the provider was called again meanwhile. */
    markMissing: ({ askedAt, id, organizationId }: BookingRow) =>
      execute(sql`
        UPDATE bookings SET state = 'MISSING'
        WHERE organization_id = ${organizationId} AND id = ${id} AND state = 'ASKED' AND asked_at = ${askedAt}
      `),

    /** Removes a refused booking. Returns false, and changes nothing, when the provider was called again meanwhile. */
    removeRefused: ({ askedAt, id, organizationId }: BookingRow) =>
      affects(sql`
        DELETE FROM bookings
        WHERE organization_id = ${organizationId} AND id = ${id} AND state = 'ASKED' AND asked_at = ${askedAt}
        RETURNING id
      `),

    /** Returns the bookings of a slot that are not BOOKED, of all organizations. */
    findUnconfirmed: (eventTypeId: string, startsAt: Date, limit: number) =>
      bookings.all(sql`
        SELECT ${columns} FROM bookings
        WHERE event_type_id = ${eventTypeId} AND starts_at = ${startsAt} AND state <> 'BOOKED'
        ORDER BY asked_at, id LIMIT ${limit}
      `)
  }
})
