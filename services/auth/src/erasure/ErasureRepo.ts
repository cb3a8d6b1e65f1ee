import type { PatientRef } from "@care/phi"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const erasures = rowsOf(Schema.Struct({ erasedAt: Schema.NullOr(Schema.Date) }))

/** SQL of what other tables than `users` keep of a patient. */
export const makeErasureRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const owned = ({ organizationId, userId }: PatientRef) =>
    sql`organization_id = ${organizationId} AND user_id = ${userId}`

  return {
    erasedAt: (patient: PatientRef) => erasures.one(sql`SELECT erased_at FROM patient_keys WHERE ${owned(patient)}`),

    /** Deletes the ways to sign in, and the messages to whichever address. */
    remove: (patient: PatientRef) =>
      Effect.forEach(
        ["credentials", "one_time_codes", "refresh_token_families", "messages"],
        (table) => execute(sql`DELETE FROM ${sql(table)} WHERE ${owned(patient)}`),
        { discard: true }
      )
  }
})
