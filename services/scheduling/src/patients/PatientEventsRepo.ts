import type { PatientRef } from "@care/phi"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const ids = rowsOf(Schema.Struct({ id: Schema.String }))

/** SQL of a patient's data, across appointments. */
export const makePatientEventsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ofPatient = ({ organizationId, userId }: PatientRef) =>
    sql`organization_id = ${organizationId} AND user_id = ${userId}`

  return {
    /** Returns the ids in the payloads of jobs about the patient's appointments. */
    findJobSubjects: (patient: PatientRef) =>
      ids.all(sql`
        SELECT id::text FROM calendar_events WHERE ${ofPatient(patient)}
        UNION SELECT id::text FROM bookings WHERE ${ofPatient(patient)}
        UNION SELECT c.id::text FROM cancellations c
          JOIN calendar_events e ON e.organization_id = c.organization_id AND e.id = c.event_id
          WHERE e.organization_id = ${patient.organizationId} AND e.user_id = ${patient.userId}
      `)
  }
})
