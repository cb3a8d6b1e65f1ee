import { CaseId, DocumentId, OrganizationId, UserId } from "@care/domain"
import { affects, PhiCipher, rowsOf } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** A document without its contents, as it is stored. `size` is in bytes; `commentId` is of the comment it belongs to. */
export const DocumentRow = Schema.Struct({
  id: DocumentId,
  organizationId: OrganizationId,
  caseId: CaseId,
  commentId: Schema.NullOr(Schema.String),
  fileName: Schema.String,
  contentType: Schema.String,
  size: Schema.Int,
  uploadedBy: UserId,
  uploadedAt: Schema.Date
})
export type DocumentRow = typeof DocumentRow.Type

const documents = rowsOf(DocumentRow)

/** SQL of documents. Names of files are stored sealed. */
export const makeDocumentsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cipher = yield* PhiCipher
  const columns = sql.literal(
    "organization_id, id, case_id, comment_id, file_name, content_type, size, uploaded_by, uploaded_at"
  )
  return {
    /** False, and nothing is changed, when the id is taken. A case that the organization does not have is a defect. */
    insert: (row: DocumentRow) =>
      affects(sql`
        INSERT INTO documents (${columns})
        VALUES (
          ${row.organizationId}, ${row.id}, ${row.caseId}, ${row.commentId}, ${cipher.seal(row.fileName)},
          ${row.contentType}, ${row.size}, ${row.uploadedBy}, ${row.uploadedAt}
        )
        ON CONFLICT (organization_id, id) DO NOTHING
        RETURNING id
      `),

    find: (organizationId: OrganizationId, id: DocumentId) =>
      documents
        .first(sql`SELECT ${columns} FROM documents WHERE organization_id = ${organizationId} AND id = ${id}`)
        .pipe(Effect.map(Option.map((row) => ({ ...row, fileName: cipher.open(row.fileName) }))))
  }
})
