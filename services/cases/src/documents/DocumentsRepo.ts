import { CaseId, DocumentId, OrganizationId, UserId } from "@care/domain/ids"
import { affects, type OpenedRow, sealed, sealedRow, sealedRowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** A document without its contents, as it is stored. `size` is in bytes; `commentId` is of the comment it belongs to. */
export const DocumentRow = sealedRow("documents", ["organizationId", "id"], {
  id: DocumentId,
  organizationId: OrganizationId,
  caseId: CaseId,
  commentId: Schema.NullOr(Schema.String),
  fileName: sealed(Schema.String),
  contentType: Schema.String,
  size: Schema.Int,
  uploadedBy: UserId,
  uploadedAt: Schema.Date
})
export type DocumentRow = OpenedRow<typeof DocumentRow>

export const makeDocumentsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const documents = yield* sealedRowsOf(DocumentRow)
  return {
    /** False, and nothing is changed, when the id is taken. A case that the organization does not have is a defect. */
    insert: (row: DocumentRow) =>
      affects(sql`
        INSERT INTO documents ${sql.insert(documents.seal(row))}
        ON CONFLICT (organization_id, id) DO NOTHING
        RETURNING id
      `),

    find: (organizationId: OrganizationId, id: DocumentId) =>
      documents.first(sql`
        SELECT organization_id, id, case_id, comment_id, file_name, content_type, size, uploaded_by, uploaded_at
        FROM documents
        WHERE organization_id = ${organizationId} AND id = ${id}
      `)
  }
})
