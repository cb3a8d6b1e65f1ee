import { AuditAction, DataKind } from "@care/domain/audit"
import { Actor } from "@care/domain/http"
import type { SqlClient, Statement } from "effect/sql"

/** Returns the condition that a record has an action, an actor and kinds of data that this version knows. */
export const isReadable = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.and([
    sql`action = ANY(${AuditAction.literals}::text[])`,
    sql`actor_type = ANY(${Actor.fields.type.literals}::text[])`,
    sql`kinds <@ ${DataKind.literals}::text[]`
  ])
