import { CaseId, DocumentId, OrganizationId, UserId } from "@care/domain"
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

/** SQL of documents. */
export class DocumentsRepo extends Context.Service<
  DocumentsRepo,
  {
    /** False, and nothing is changed, when the id is taken or the organization has no such case. */
    readonly insert: (row: DocumentRow) => Effect.Effect<boolean>
    readonly find: (organizationId: OrganizationId, id: DocumentId) => Effect.Effect<Option.Option<DocumentRow>>
    readonly organizationOf: (caseId: CaseId) => Effect.Effect<Option.Option<OrganizationId>>
  }
>()("@care/cases/documents/DocumentsRepo") {
  static readonly layer = Layer.effect(
    DocumentsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(
        "id, organization_id, case_id, comment_id, file_name, content_type, size, uploaded_by, uploaded_at"
      )

      const insert = (row: DocumentRow) =>
        sql`
          INSERT INTO documents (${columns})
          SELECT ${row.id}::uuid, c.organization_id, c.id, ${row.commentId}::uuid, ${row.fileName}, ${row.contentType},
                 ${row.size}::integer, ${row.uploadedBy}::uuid, ${row.uploadedAt}::timestamptz
          FROM cases c
          WHERE c.id = ${row.caseId} AND c.organization_id = ${row.organizationId}
          ON CONFLICT (id) DO NOTHING
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

      const organizationOf = SqlSchema.findOneOption({
        Request: CaseId,
        Result: Schema.Struct({ organizationId: OrganizationId }),
        execute: (caseId) => sql`SELECT organization_id FROM cases WHERE id = ${caseId}`
      })

      return DocumentsRepo.of({
        organizationOf: (caseId) =>
          organizationOf(caseId).pipe(Effect.map(Option.map(({ organizationId }) => organizationId)), Effect.orDie),
        insert,
        find: (organizationId, id) => Effect.orDie(find({ organizationId, id }))
      })
    })
  )
}
