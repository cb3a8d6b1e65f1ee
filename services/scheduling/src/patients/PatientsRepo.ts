import { execute, type PatientRef, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const ids = rowsOf(Schema.Struct({ id: Schema.String }))

/** SQL of all that a patient has, whichever appointment it is of. */
export const makePatientsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const owned = ({ organizationId, userId }: PatientRef) =>
    sql`organization_id = ${organizationId} AND user_id = ${userId}`

  return {
    /** Where a meeting is may be where somebody lives. */
    forgetPlaces: (patient: PatientRef) =>
      execute(sql`UPDATE calendar_events SET location = NULL WHERE ${owned(patient)} AND location IS NOT NULL`),

    /** What the provider told of the patient's meetings, and of those that they were moved from. */
    removeNews: (patient: PatientRef) =>
      execute(sql`
        WITH meetings AS (
          SELECT agent_event_id FROM calendar_events WHERE ${owned(patient)} AND agent_event_id IS NOT NULL
        )
        DELETE FROM provider_events
        WHERE agent_event_id IN (SELECT agent_event_id FROM meetings)
           OR moved_from IN (SELECT agent_event_id FROM meetings)
           OR agent_event_id IN (
             SELECT moved_from FROM provider_events WHERE agent_event_id IN (SELECT agent_event_id FROM meetings)
           )
      `),

    /** Ids by which jobs mention the patient's appointments. */
    mentioned: (patient: PatientRef) =>
      ids.all(sql`
        SELECT id::text FROM calendar_events WHERE ${owned(patient)}
        UNION SELECT id::text FROM bookings WHERE ${owned(patient)}
        UNION SELECT c.id::text FROM cancellations c
          JOIN calendar_events e ON e.organization_id = c.organization_id AND e.id = c.event_id
          WHERE e.organization_id = ${patient.organizationId} AND e.user_id = ${patient.userId}
      `)
  }
})
