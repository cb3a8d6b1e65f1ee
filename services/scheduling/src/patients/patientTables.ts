import { ofUser, type PatientTable } from "@care/phi"
import { BookingRow, CancellationRow } from "../bookings/index.ts"
import { EventRow } from "../calendar/index.ts"

const ofEvents: PatientTable["of"] = (sql, { organizationId, userId }) => sql`
  event_id IN (SELECT id FROM calendar_events WHERE organization_id = ${organizationId} AND user_id = ${userId})
`

/** The tables with a patient's data. */
export const patientTables: ReadonlyArray<PatientTable> = [
  { table: "calendar_events", row: EventRow, of: ofUser(), key: ["created_at", "id"] },
  { table: "bookings", row: BookingRow, of: ofUser(), key: ["first_asked_at", "id"] },
  { table: "cancellations", row: CancellationRow, of: ofEvents, key: ["asked_at", "id"] },
  { table: "case_snapshots", of: ofUser(), key: ["case_id"] }
]
