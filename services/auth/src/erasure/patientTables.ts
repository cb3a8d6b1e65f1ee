import { ofUser, type PatientTable } from "@care/service-kit"
import { UserRow } from "../users/UsersRepo.ts"

const received: PatientTable["of"] = (sql, { organizationId, userId }) => sql`
  receiver IN (
    SELECT unnest(ARRAY[email, phone_number]) FROM users WHERE organization_id = ${organizationId} AND id = ${userId}
  )
`

/** Everything that auth keeps of a patient, but for secrets and their hashes. */
export const patientTables: ReadonlyArray<PatientTable> = [
  { table: "users", row: UserRow, of: ofUser("id"), order: "id" },
  { table: "credentials", of: ofUser(), order: "login_email", hidden: ["passwordHash"] },
  { table: "one_time_codes", of: ofUser(), order: "id", hidden: ["codeHash"] },
  { table: "refresh_token_families", of: ofUser(), order: "created_at, id" },
  { table: "messages", of: received, order: "created_at, id" }
]
