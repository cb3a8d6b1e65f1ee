import { type AuditAction, auditActions } from "@care/domain/audit"
import type { SqlClient, Statement } from "effect/sql"
import type { Doing } from "./NewRecord.ts"

// A record waits for its link from the moment that it is there.
const awaitLink = (sql: SqlClient.SqlClient) => sql`
  INSERT INTO audit_unlinked (organization_id, record_id) SELECT organization_id, id FROM recorded
`

/**
 * Parts of a statement that record an action, with the change that another part of it makes: `whose` is a query of that one,
 * with `organization_id`, `case_id` and `user_id` of each of which there is to be a record.
 */
export const recorded = (
  sql: SqlClient.SqlClient,
  whose: Statement.Fragment,
  { action, actor, at, requestId }: Doing & { readonly action: AuditAction }
): Statement.Fragment => sql`
  recorded AS (
    INSERT INTO audit_records (
      organization_id, id, at, action, actor_type, actor_id, case_id, user_id, request_id, kinds
    )
    SELECT organization_id, gen_random_uuid(), ${at}::timestamptz, ${action}, ${actor.type}, ${actor.id}::text,
           case_id, user_id, ${requestId}, ${auditActions[action].kinds}::text[]
    FROM (${whose}) AS whose
    RETURNING organization_id, id
  ), awaiting_link AS (${awaitLink(sql)})
`

/** Rows of lines of JSON, each a record (`recordLine`) that may have its link. */
export const rowsOfLines = (sql: SqlClient.SqlClient, lines: ReadonlyArray<string>): Statement.Fragment => sql`
  jsonb_to_recordset(${`[${lines.join()}]`}::jsonb) AS given (
    "organizationId" uuid, id uuid, at timestamptz, action text, "actorType" text, "actorId" text, "caseId" uuid,
    "userId" uuid, "requestId" text, kinds text[], number integer, hash text
  )
`

/** Stores records that are such rows. */
export const insertRecords = (sql: SqlClient.SqlClient, rows: Statement.Fragment): Statement.Fragment => sql`
  INSERT INTO audit_records (
    organization_id, id, at, action, actor_type, actor_id, case_id, user_id, request_id, kinds
  )
  SELECT "organizationId", id, at, action, "actorType", "actorId", "caseId", "userId", "requestId", kinds FROM ${rows}
`

/** Stores records that are lines of JSON (`recordLine`), unless they are stored already, to wait for their links. */
export const insertWaitingRecords = (sql: SqlClient.SqlClient, lines: ReadonlyArray<string>) => sql`
  WITH recorded AS (
    ${insertRecords(sql, rowsOfLines(sql, lines))}
    ON CONFLICT (organization_id, id) DO NOTHING
    RETURNING organization_id, id
  ) ${awaitLink(sql)}
`
