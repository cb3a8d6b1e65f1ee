import { CaseId, DocumentId, OrganizationId, UserId } from "@care/domain/ids"
import { erasedText, type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { newestOfCase, type PageOfCase } from "../case/index.ts"

/** A stored document without its contents. `size` is in bytes. */
export const DocumentRow = sealedRow("documents", ["organizationId", "id"], {
  id: DocumentId,
  organizationId: OrganizationId,
  caseId: CaseId,
  commentId: Schema.NullOr(Schema.String),
  fileName: sealed(Schema.String, erasedText),
  contentType: Schema.String,
  size: Schema.Int,
  uploadedBy: UserId,
  uploadedAt: Schema.Date
})
export type DocumentRow = OpenedRow<typeof DocumentRow>

/** The SQL expression of the document `f` as JSON, which `jsonRows(DocumentRow)` reads. */
export const documentJson = `
  json_build_object(
    'id', f.id, 'organizationId', f.organization_id, 'caseId', f.case_id, 'commentId', f.comment_id,
    'fileName', f.file_name, 'contentType', f.content_type, 'size', f.size, 'uploadedBy', f.uploaded_by,
    'uploadedAt', f.uploaded_at
  )
`

export const makeDocumentsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const documents = yield* sealedRowsOf(DocumentRow)
  const columns = sql`
    organization_id, id, case_id, comment_id, file_name, content_type, size, uploaded_by, uploaded_at
  `
  return {
    /** Returns false, and changes nothing, when the id is taken. */
    insert: (key: PatientKey, row: DocumentRow) =>
      affects(sql`
        INSERT INTO documents ${sql.insert(documents.seal(key, row))}
        ON CONFLICT (organization_id, id) DO NOTHING
        RETURNING id
      `),

    find: (organizationId: OrganizationId, id: DocumentId) =>
      documents.first(sql`
        SELECT ${columns} FROM documents WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    /** Leaves the documents of comments out. */
    newest: (...page: PageOfCase) =>
      documents.all(sql`
        SELECT ${columns} FROM documents ${newestOfCase(sql, page, sql`comment_id IS NULL`, "uploaded_at")}
      `)
  }
})
