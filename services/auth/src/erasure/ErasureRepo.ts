import { Role } from "@care/domain/auth"
import { OrganizationId, type UserId } from "@care/domain/ids"
import type { PatientRef } from "@care/phi"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { erasedEmail } from "../messages/index.ts"

const owners = rowsOf(Schema.Struct({ organizationId: OrganizationId, role: Role }))
const contacts = rowsOf(Schema.Struct({ email: Schema.String, phoneNumber: Schema.NullOr(Schema.String) }))
const erasures = rowsOf(Schema.Struct({ erasedAt: Schema.NullOr(Schema.Date) }))

/** SQL of what is left of a patient who was erased. */
export const makeErasureRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const owned = ({ organizationId, userId }: PatientRef) =>
    sql`organization_id = ${organizationId} AND user_id = ${userId}`

  return {
    /** Whose user somebody is, deleted or erased or not: the operator's path names the user alone. */
    findOwner: (id: UserId) => owners.first(sql`SELECT organization_id, role FROM users WHERE id = ${id}`),

    /**
     * How the patient is reached, which nobody changes until the transaction ends. Whoever stores a code, a login, a session or a
     * message has done that before, or waits (`FOR KEY SHARE`) and finds the patient gone.
     */
    lock: ({ organizationId, userId }: PatientRef) =>
      contacts.one(sql`
        SELECT email, phone_number FROM users WHERE organization_id = ${organizationId} AND id = ${userId} FOR UPDATE
      `),

    erasedAt: (patient: PatientRef) => erasures.one(sql`SELECT erased_at FROM patient_keys WHERE ${owned(patient)}`),

    /** Puts nobody in the patient's place. */
    replace: ({ organizationId, userId }: PatientRef, name: string, now: Date) =>
      execute(sql`
        UPDATE users SET
          email = ${erasedEmail(userId)}, first_name = ${name}, last_name = ${name}, phone_number = NULL,
          dob = NULL, gender = NULL, language_preferences = NULL, address = NULL, address2 = NULL, city = NULL,
          state = NULL, country = NULL, postal_code = NULL, allergies = NULL, current_medications = NULL,
          health_conditions = NULL, is_active = false, deleted_at = coalesce(deleted_at, ${now}), updated_at = ${now},
          version = version + 1
        WHERE organization_id = ${organizationId} AND id = ${userId}
      `),

    /** Ends every way in, and removes what was written to them, at whichever address. */
    remove: (patient: PatientRef) =>
      Effect.forEach(
        ["credentials", "one_time_codes", "refresh_token_families", "messages"],
        (table) => execute(sql`DELETE FROM ${sql(table)} WHERE ${owned(patient)}`),
        { discard: true }
      )
  }
})
