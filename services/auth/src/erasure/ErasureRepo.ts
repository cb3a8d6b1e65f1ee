import type { PatientRef } from "@care/phi"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const erasures = rowsOf(Schema.Struct({ erasedAt: Schema.NullOr(Schema.Date) }))

/** SQL of a patient's rows outside `users`. */
export const makeErasureRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ofPatient = ({ organizationId, userId }: PatientRef) =>
    sql`organization_id = ${organizationId} AND user_id = ${userId}`

  return {
    erasedAt: (patient: PatientRef) =>
      erasures.one(sql`SELECT erased_at FROM patient_keys WHERE ${ofPatient(patient)}`),

    /** Deletes the patient's logins, codes, sessions, and messages to any of their addresses. */
    remove: (patient: PatientRef) =>
      Effect.forEach(
        ["credentials", "one_time_codes", "refresh_token_families", "messages"],
        (table) => execute(sql`DELETE FROM ${sql(table)} WHERE ${ofPatient(patient)}`),
        { discard: true }
      )
  }
})
