import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { execute, type OpenedRow, sealed, sealedRow, sealedRowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

export const CommentRow = sealedRow("comments", ["organizationId", "id"], {
  organizationId: OrganizationId,
  id: Schema.String,
  caseId: CaseId,
  authorId: UserId,
  text: sealed(Schema.String),
  isRestricted: Schema.Boolean,
  createdAt: Schema.Date
})
export type CommentRow = OpenedRow<typeof CommentRow>

export const makeCommentsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const comments = yield* sealedRowsOf(CommentRow)
  return {
    insert: (comment: CommentRow) => execute(sql`INSERT INTO comments ${sql.insert(comments.seal(comment))}`)
  }
})
