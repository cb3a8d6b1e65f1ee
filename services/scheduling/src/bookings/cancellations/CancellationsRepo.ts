import { CalendarEventId, OrganizationId } from "@care/domain/ids"
import { AppointmentCancelled } from "@care/domain/scheduling"
import { erasedText, type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { execute, onViolation } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** A cancellation by a partner. `isDone` if it is the one that ended the appointment. */
export const CancellationRow = sealedRow("cancellations", ["organizationId", "id"], {
  organizationId: OrganizationId,
  id: Schema.String,
  eventId: CalendarEventId,
  email: sealed(Schema.String, erasedText),
  reason: sealed(Schema.NullOr(Schema.String)),
  isDone: Schema.Boolean,
  askedAt: Schema.Date
})
export type CancellationRow = OpenedRow<typeof CancellationRow>

export const makeCancellationsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cancellations = yield* sealedRowsOf(CancellationRow)

  return {
    find: (organizationId: OrganizationId, id: string) =>
      cancellations.first(sql`
        SELECT organization_id, id, event_id, email, reason, is_done, asked_at FROM cancellations
        WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    /** Changes nothing when the cancellation exists. */
    insert: (key: PatientKey, cancellation: CancellationRow) =>
      execute(sql`
        INSERT INTO cancellations ${sql.insert(cancellations.seal(key, cancellation))}
        ON CONFLICT (organization_id, id) DO NOTHING
      `),

    /** Marks the cancellation that ended the appointment. Fails when another one did. */
    markDone: ({ id, organizationId }: CancellationRow) =>
      execute(
        sql`
          UPDATE cancellations SET is_done = true WHERE organization_id = ${organizationId} AND id = ${id}
        `.pipe(onViolation("cancellations_done", () => new AppointmentCancelled()))
      ),

    /** Removes a cancellation that is not done. */

    remove: ({ id, organizationId }: CancellationRow) =>
      execute(sql`
        DELETE FROM cancellations WHERE organization_id = ${organizationId} AND id = ${id} AND NOT is_done
      `)
  }
})
