import { CalendarEventId, CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { MeetingLocation } from "@care/domain/scheduling"
import { erasedText, type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects, execute } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/**
 * ASKED: the provider is asked, or was, and nobody knows what became of it. MISSING: it was looked for long after, and the
 * provider had none. BOOKED: the provider has it, and it is an appointment.
 */
const BookingState = Schema.Literals(["ASKED", "MISSING", "BOOKED"])

const erasedAsking = {
  email: erasedText,
  firstName: erasedText,
  lastName: erasedText,
  timezone: "UTC",
  location: "google_conference"
} as const

/** A booking that the provider is asked for. */
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
    erasedAsking
  ),
  state: BookingState,
  firstAskedAt: Schema.Date,
  /** When it was asked for last. */
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

    /** Says that the provider is asked from now on, the first time or again. */
    asked: (key: PatientKey, booking: BookingRow) =>
      execute(sql`
        INSERT INTO bookings ${sql.insert(bookings.seal(key, booking))}
        ON CONFLICT (organization_id, id) DO UPDATE SET state = excluded.state, asked_at = excluded.asked_at
        WHERE bookings.state <> 'BOOKED'
      `),

    /** False, and nothing is changed, when it is booked already. */
    booked: ({ id, organizationId }: BookingKey) =>
      affects(sql`
        UPDATE bookings SET state = 'BOOKED'
        WHERE organization_id = ${organizationId} AND id = ${id} AND state <> 'BOOKED'
        RETURNING id
      `),

    /** Says that the provider does not have it, unless it was asked again meanwhile. */
    missing: ({ askedAt, id, organizationId }: BookingRow) =>
      execute(sql`
        UPDATE bookings SET state = 'MISSING'
        WHERE organization_id = ${organizationId} AND id = ${id} AND state = 'ASKED' AND asked_at = ${askedAt}
      `),

    /** Removes what the provider refused: false, and nothing is changed, when it was asked again meanwhile. */
    refused: ({ askedAt, id, organizationId }: BookingRow) =>
      affects(sql`
        DELETE FROM bookings
        WHERE organization_id = ${organizationId} AND id = ${id} AND state = 'ASKED' AND asked_at = ${askedAt}
        RETURNING id
      `),

    /** Whoever's bookings of an event type at a time of which it is not known that the provider has them. */
    unanswered: (eventTypeId: string, startsAt: Date, limit: number) =>
      bookings.all(sql`
        SELECT ${columns} FROM bookings
        WHERE event_type_id = ${eventTypeId} AND starts_at = ${startsAt} AND state <> 'BOOKED'
        ORDER BY asked_at, id LIMIT ${limit}
      `)
  }
})
