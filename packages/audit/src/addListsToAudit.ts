import { concurrentIndex } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Migration of every service: a record may be that of a list, and name all that it showed. `audit_shown` finds such records by
 * case and by patient, and is only ever added to, as they are.
 */
export const addListsToAudit = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE audit_records ADD COLUMN shown_case_ids uuid[], ADD COLUMN shown_user_ids uuid[]`
  yield* sql`ALTER TABLE audit_unlinked ADD COLUMN size integer NOT NULL DEFAULT 1`
  yield* sql`
    CREATE TABLE audit_shown (
      organization_id uuid NOT NULL,
      record_id uuid NOT NULL,
      at timestamptz(3) NOT NULL,
      action text NOT NULL,
      case_id uuid NOT NULL,
      user_id uuid,
      is_first_of_user boolean NOT NULL
    )
  `
  yield* sql`CREATE INDEX audit_shown_by_case ON audit_shown (organization_id, case_id, action, at, record_id)`
  yield* sql`
    CREATE INDEX audit_shown_by_user ON audit_shown (organization_id, user_id, action, at, record_id)
    WHERE is_first_of_user AND user_id IS NOT NULL
  `
  yield* sql`
    CREATE INDEX audit_shown_by_case_and_user ON audit_shown (organization_id, case_id, user_id, action, at, record_id)
    WHERE user_id IS NOT NULL
  `
  yield* sql`
    CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_shown
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()
  `
  yield* sql`REVOKE UPDATE, DELETE, TRUNCATE ON audit_shown FROM CURRENT_USER`
})

/** Migration of every service: what is asked for by case and patient together has an index that fits it. */
export const indexAuditByCaseAndUser = concurrentIndex(
  "audit_records_by_case_and_user",
  "audit_records (organization_id, case_id, user_id, action, at, id) WHERE case_id IS NOT NULL AND user_id IS NOT NULL"
)
