import { type AuditAction, auditActions } from "@care/domain/audit"
import type { SqlClient, Statement } from "effect/sql"
import type { Provenance } from "./NewRecord.ts"

// Marks a record as waiting for its link, in the statement that stores it.
const awaitLink = (sql: SqlClient.SqlClient) => sql`
  INSERT INTO audit_unlinked (organization_id, record_id) SELECT organization_id, id FROM recorded
`

// The same for records of lists. Their sizes limit how many are linked in one transaction.
const awaitLinkBySize = (sql: SqlClient.SqlClient) => sql`
  INSERT INTO audit_unlinked (organization_id, record_id, size)
  SELECT organization_id, id, 1 + coalesce(cardinality(shown_case_ids), 0) FROM recorded
`

/** Returns the parts of a statement that record a change in the same statement. `subjects` selects the organization, case and user of each row. */
export const recorded = (
  sql: SqlClient.SqlClient,
  subjects: Statement.Fragment,
  { action, actor, at, requestId }: Provenance & { readonly action: AuditAction }
): Statement.Fragment => sql`
  recorded AS (
    INSERT INTO audit_records (
      organization_id, id, at, action, actor_type, actor_id, case_id, user_id, request_id, kinds
    )
    SELECT organization_id, gen_random_uuid(), ${at}::timestamptz, ${action}, ${actor.type}, ${actor.id}::text,
           case_id, user_id, ${requestId}, ${auditActions[action].kinds}::text[]
    FROM (${subjects}) AS whose
    RETURNING organization_id, id
  ), awaiting_link AS (${awaitLink(sql)})
`

/** Returns the SQL of rows from lines of JSON: records (`recordLine`), with or without links. */
export const rowsOfLines = (sql: SqlClient.SqlClient, lines: ReadonlyArray<string>): Statement.Fragment => sql`
  jsonb_to_recordset(${`[${lines.join()}]`}::jsonb) AS given (
    "organizationId" uuid, id uuid, at timestamptz, action text, "actorType" text, "actorId" text, "caseId" uuid,
    "userId" uuid, "requestId" text, kinds text[], "shownCaseIds" uuid[], "shownUserIds" uuid[], number integer, hash text
  )
`

/** Returns the parts of a statement that store records. `audit_shown` gets a row for each case of a list, and marks the first of a patient. */
export const insertRecords = (
  sql: SqlClient.SqlClient,
  rows: Statement.Fragment,
  conflict = sql.literal("")
): Statement.Fragment => sql`
  recorded AS (
    INSERT INTO audit_records (
      organization_id, id, at, action, actor_type, actor_id, case_id, user_id, request_id, kinds, shown_case_ids,
      shown_user_ids
    )
    SELECT "organizationId", id, at, action, "actorType", "actorId", "caseId", "userId", "requestId", kinds,
           "shownCaseIds", "shownUserIds"
    FROM ${rows}
    ${conflict}
    RETURNING organization_id, id, at, action, shown_case_ids, shown_user_ids
  ), shown AS (
    INSERT INTO audit_shown (organization_id, record_id, at, action, case_id, user_id, is_first_of_user)
    SELECT organization_id, id, at, action, case_id, user_id,
           row_number() OVER (PARTITION BY organization_id, id, user_id) = 1
    FROM recorded CROSS JOIN LATERAL unnest(shown_case_ids, shown_user_ids) AS list (case_id, user_id)
  )
`

/** Returns the statement that stores records from lines (`recordLine`), unless they are stored already. They wait for their links. */
export const insertWaitingRecords = (sql: SqlClient.SqlClient, lines: ReadonlyArray<string>) => sql`
  WITH ${insertRecords(sql, rowsOfLines(sql, lines), sql.literal("ON CONFLICT (organization_id, id) DO NOTHING"))}
  ${awaitLinkBySize(sql)}
`
