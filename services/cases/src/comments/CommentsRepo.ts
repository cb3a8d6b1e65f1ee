import type { CaseId, OrganizationId, UserId } from "@care/domain"
import { execute } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A comment as it is stored: its text is sealed. */
export interface CommentRow {
  readonly id: string
  readonly caseId: CaseId
  readonly organizationId: OrganizationId
  readonly authorId: UserId
  readonly text: string
  readonly isRestricted: boolean
  readonly createdAt: Date
}

/** SQL of comments. */
export const makeCommentsRepo = Effect.map(SqlClient.SqlClient, (sql) => ({
  insert: (comment: CommentRow) => execute(sql`INSERT INTO comments ${sql.insert({ ...comment })}`)
}))
