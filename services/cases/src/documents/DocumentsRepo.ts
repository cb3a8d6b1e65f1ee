import type { PagePosition } from "@care/domain/http"
import { CaseId, DocumentId, OrganizationId, UserId } from "@care/domain/ids"
import { erasedText, type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** A document without its contents, as it is stored. `size` is in bytes; `commentId` is of the comment it belongs to. */
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

/** The document `f` of a statement as JSON, which `jsonRows(DocumentRow)` reads. */
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
    /** False, and nothing is changed, when the id is taken. A case that the organization does not have is a defect. */
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

    /** The documents of a case that belong to no comment, newest first. */
    newest: (organizationId: OrganizationId, caseId: CaseId, before: PagePosition, limit: number) =>
      documents.all(sql`
        SELECT ${columns} FROM documents
        WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND comment_id IS NULL
          AND (uploaded_at, id) < (${before.createdAt}, ${before.id})
        ORDER BY uploaded_at DESC, id DESC
        LIMIT ${limit}
      `)
  }
})
