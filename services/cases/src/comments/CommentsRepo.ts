import type { PagePosition } from "@care/domain/http"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { erasedText, jsonRows, type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { execute } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { DocumentRow, documentJson } from "../documents/index.ts"

const key = ["organizationId", "id"] as const
const columns = {
  organizationId: OrganizationId,
  id: Schema.String,
  caseId: CaseId,
  authorId: UserId,
  text: sealed(Schema.String, erasedText),
  isRestricted: Schema.Boolean,
  createdAt: Schema.Date
}

/** A comment as it is stored. */
export const StoredComment = sealedRow("comments", key, columns)

/** The same with its files, oldest first. */
export const CommentRow = sealedRow("comments", key, { ...columns, files: jsonRows(DocumentRow) })
export type CommentRow = OpenedRow<typeof CommentRow>

/** The files of the comment `comments` of a statement. */
export const filesOfComment = `
  coalesce((
    SELECT json_agg(${documentJson} ORDER BY f.uploaded_at, f.id)
    FROM documents f WHERE f.organization_id = comments.organization_id AND f.comment_id = comments.id
  ), '[]')
`

export const makeCommentsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const comments = yield* sealedRowsOf(CommentRow)
  return {
    insert: (patientKey: PatientKey, comment: Omit<CommentRow, "files">) =>
      execute(sql`INSERT INTO comments ${sql.insert(comments.seal(patientKey, comment))}`),

    /** Those of a case that are of the wanted kinds (restricted or not), newest first: each kind by its own part of the index. */
    newest: (
      organizationId: OrganizationId,
      caseId: CaseId,
      kinds: ReadonlyArray<boolean>,
      before: PagePosition,
      limit: number
    ) =>
      comments.all(sql`
        SELECT comments.*, ${sql.literal(filesOfComment)} AS files
        FROM unnest(${kinds}::boolean[]) AS wanted (is_restricted)
        CROSS JOIN LATERAL (
          SELECT organization_id, id, case_id, author_id, text, is_restricted, created_at FROM comments
          WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND is_restricted = wanted.is_restricted
            AND (created_at, id) < (${before.createdAt}, ${before.id})
          ORDER BY created_at DESC, id DESC
          LIMIT ${limit}
        ) AS comments
        ORDER BY created_at DESC, id DESC
        LIMIT ${limit}
      `)
  }
})
