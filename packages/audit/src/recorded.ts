import { type AuditAction, auditActions } from "@care/domain/audit"
import type { SqlClient, Statement } from "effect/sql"
import { sortedKinds } from "./kindBits.ts"
import type { Provenance } from "./NewRecord.ts"
import { idPrefixOf } from "./recordId.ts"

/** Returns the parts of a statement that record a change in the same statement. `subjects` selects the organization, case and user of each row. */
export const recorded = (
  sql: SqlClient.SqlClient,
  subjects: Statement.Fragment,
  { action, actor, at, requestId }: Provenance & { readonly action: AuditAction }
): Statement.Fragment => sql`
  recorded AS (
    INSERT INTO audit_waiting (
      organization_id, id, at, action, actor_type, actor_id, case_id, user_id, request_id, kinds
    )
    SELECT organization_id, (${idPrefixOf(at)}::text || right(gen_random_uuid()::text, 21))::uuid, ${at}::timestamptz,
           ${action}, ${actor.type}, ${actor.id}::text, case_id, user_id, ${requestId},
           ${sortedKinds(auditActions[action].kinds)}::text[]
    FROM (${subjects}) AS whose
  )
`

/** Returns the SQL of rows from lines of JSON: records (`recordLine`), with or without links. */
export const rowsOfLines = (sql: SqlClient.SqlClient, lines: ReadonlyArray<string>): Statement.Fragment => sql`
  jsonb_to_recordset(${`[${lines.join()}]`}::jsonb) AS given (
    "organizationId" uuid, id uuid, at timestamptz, action text, "actorType" text, "actorId" text, "caseId" uuid,
    "userId" uuid, "requestId" text, kinds text[], "shownCaseIds" uuid[], "shownUserIds" uuid[], number bigint, hash text,
    month integer, "kindBits" integer
  )
`

// `table` has the columns of a record. A conflict with a named key would need to see the rows, which are hidden while an organization arrives.
const insertRecords = (
  sql: SqlClient.SqlClient,
  table: string,
  lines: ReadonlyArray<string>
): Statement.Fragment => sql`
  INSERT INTO ${sql(table)} (
    organization_id, id, at, action, actor_type, actor_id, case_id, user_id, request_id, kinds, shown_case_ids,
    shown_user_ids
  )
  SELECT "organizationId", id, at, action, "actorType", "actorId", "caseId", "userId", "requestId", kinds, "shownCaseIds",
         "shownUserIds"
  FROM ${rowsOfLines(sql, lines)}
  ON CONFLICT DO NOTHING
`

/** Returns the statement that stores records from lines (`recordLine`), which wait for their links, unless they wait already. */
export const insertWaitingRecords = (sql: SqlClient.SqlClient, lines: ReadonlyArray<string>) =>
  sql`${insertRecords(sql, "audit_waiting", lines)}`

/**
 * Returns the statement that stores records as version 1 does. Processes of that version may have stored the lines of their files already,
 * or do it later: only their tables can tell.
 */
export const insertRecordsOfVersion1 = (sql: SqlClient.SqlClient, lines: ReadonlyArray<string>) => sql`
  WITH recorded AS (
    ${insertRecords(sql, "audit_records", lines)}
    RETURNING organization_id, id, at, action, shown_case_ids, shown_user_ids
  ), shown AS (
    INSERT INTO audit_shown (organization_id, record_id, at, action, case_id, user_id, is_first_of_user)
    SELECT organization_id, id, at, action, case_id, user_id,
           row_number() OVER (PARTITION BY organization_id, id, user_id) = 1
    FROM recorded CROSS JOIN LATERAL unnest(shown_case_ids, shown_user_ids) AS list (case_id, user_id)
  )
  INSERT INTO audit_unlinked (organization_id, record_id, size)
  SELECT organization_id, id, 1 + coalesce(cardinality(shown_case_ids), 0) FROM recorded
`
