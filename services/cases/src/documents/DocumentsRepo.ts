import { CaseId, DocumentId, OrganizationId, UserId } from "@care/domain"
import { PhiCipher } from "@care/service-kit"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

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

/** SQL of documents. Names of files are stored sealed. */
export class DocumentsRepo extends Context.Service<
  DocumentsRepo,
  {
    /** False, and nothing is changed, when the id is taken or the organization has no such case. */
    readonly insert: (row: DocumentRow) => Effect.Effect<boolean>
    readonly find: (organizationId: OrganizationId, id: DocumentId) => Effect.Effect<Option.Option<DocumentRow>>
  }
>()("@care/cases/documents/DocumentsRepo") {
  static readonly layer = Layer.effect(
    DocumentsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const cipher = yield* PhiCipher
      const columns = sql.literal(
        "organization_id, id, case_id, comment_id, file_name, content_type, size, uploaded_by, uploaded_at"
      )

      const insert = (row: DocumentRow) =>
        sql`
          INSERT INTO documents (${columns})
          SELECT c.organization_id, ${row.id}::uuid, c.id, ${row.commentId}::uuid, ${cipher.seal(row.fileName)},
                 ${row.contentType}, ${row.size}::integer, ${row.uploadedBy}::uuid, ${row.uploadedAt}::timestamptz
          FROM cases c
          WHERE c.organization_id = ${row.organizationId} AND c.id = ${row.caseId}
          ON CONFLICT (organization_id, id) DO NOTHING
          RETURNING id
        `.pipe(
          Effect.map((rows) => rows.length === 1),
          Effect.orDie
        )

      const find = SqlSchema.findOneOption({
        Request: Schema.Struct({ organizationId: OrganizationId, id: DocumentId }),
        Result: DocumentRow,
        execute: ({ id, organizationId }) =>
          sql`SELECT ${columns} FROM documents WHERE organization_id = ${organizationId} AND id = ${id}`
      })

      return DocumentsRepo.of({
        insert,
        find: (organizationId, id) =>
          find({ organizationId, id }).pipe(
            Effect.map(Option.map((row) => ({ ...row, fileName: cipher.open(row.fileName) }))),
            Effect.orDie
          )
      })
    })
  )
}
