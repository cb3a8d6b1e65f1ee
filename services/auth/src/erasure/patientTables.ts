import { ofUser, type PatientTable } from "@care/phi"
import { MessageRow } from "../messages/index.ts"
import { UserRow } from "../people/index.ts"

/** The tables with data of patients. Secrets and their hashes are hidden. */
export const patientTables: ReadonlyArray<PatientTable> = [
  { table: "users", row: UserRow, of: ofUser("id"), key: ["id"] },
  { table: "credentials", of: ofUser(), key: ["login_email"], hidden: ["passwordHash"] },
  { table: "one_time_codes", of: ofUser(), key: ["user_id"], hidden: ["codeHash"] },
  { table: "refresh_token_families", of: ofUser(), key: ["created_at", "id"] },
  { table: "messages", row: MessageRow, of: ofUser(), key: ["created_at", "id"] }
]
