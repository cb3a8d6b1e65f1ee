import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { erasedText, jsonRows, type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { execute } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { newestOfCase, type PageOfCase } from "../case/index.ts"
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

/** A comment without its files. */
export const StoredComment = sealedRow("comments", key, columns)

/** A comment with its files, oldest first. */
export const CommentRow = sealedRow("comments", key, { ...columns, files: jsonRows(DocumentRow) })
export type CommentRow = OpenedRow<typeof CommentRow>

/** The SQL expression of the files of the comment `comments`, as JSON. */
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

    findAll: (organizationId: OrganizationId, ids: ReadonlyArray<string>) =>
      comments.all(sql`
        SELECT organization_id, id, case_id, author_id, text, is_restricted, created_at,
               ${sql.literal(filesOfComment)} AS files
        FROM comments WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])
      `),

    /** Reads each kind (restricted or not) by its own part of the index. */
    newest: (kinds: ReadonlyArray<boolean>, page: PageOfCase) =>
      comments.all(sql`
        SELECT comments.*, ${sql.literal(filesOfComment)} AS files
        FROM unnest(${kinds}::boolean[]) AS kind (is_restricted)
        CROSS JOIN LATERAL (
          SELECT organization_id, id, case_id, author_id, text, is_restricted, created_at FROM comments
          ${newestOfCase(sql, page, sql`is_restricted = kind.is_restricted`)}
        ) AS comments
        ORDER BY created_at DESC, id DESC
        LIMIT ${page[3]}
      `)
  }
})
