import { randomUUID } from "node:crypto"
import type { PagePosition } from "@care/domain/http"
import { type CaseId, DocumentId, type OrganizationId, type UserId } from "@care/domain/ids"
import { inTransaction } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Cases } from "../case/index.ts"
import { cleanFileName } from "./cleanFileName.ts"
import { DocumentStore } from "./DocumentStore.ts"
import { type DocumentRow, makeDocumentsRepo } from "./DocumentsRepo.ts"
import type { ReceivedFile } from "./receiveFile.ts"

/** A file for a case, which was checked. The same `id` again is the same file again. */
export interface NewDocument {
  readonly organizationId: OrganizationId
  readonly caseId: CaseId
  readonly commentId?: string | undefined
  readonly uploadedBy: UserId
  readonly id?: DocumentId | undefined
  readonly file: ReceivedFile
}

/** The files of cases: answers to questions, attachments and prescriptions. */
export class Documents extends Context.Service<
  Documents,
  {
    /**
     * Stores a file with its contents, inside the caller's transaction if there is one. When the id is stored already,
     * nothing changes and the document is what was stored.
     */
    readonly add: (document: NewDocument) => Effect.Effect<DocumentRow>
    /** The same of a file of the case itself that comes alone, which is recorded: in the name of one of the `staff`, if it is theirs. */
    readonly attach: (document: NewDocument, staff?: UserId) => Effect.Effect<DocumentRow>
    readonly find: (organizationId: OrganizationId, id: DocumentId) => Effect.Effect<Option.Option<DocumentRow>>
    /** The files of a case that belong to no comment, newest first. */
    readonly newest: (
      organizationId: OrganizationId,
      caseId: CaseId,
      before: PagePosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DocumentRow>>
  }
>()("@care/cases/documents/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const repo = yield* makeDocumentsRepo
      const store = yield* DocumentStore
      const cases = yield* Cases
      const sql = yield* SqlClient.SqlClient

      // What follows when the file was not stored before commits with it.
      const stored = Effect.fnUntraced(function* (
        { file, id = DocumentId.make(randomUUID()), ...document }: NewDocument,
        follow: (row: DocumentRow) => Effect.Effect<unknown>
      ) {
        const row: DocumentRow = {
          ...document,
          id,
          commentId: document.commentId ?? null,
          fileName: cleanFileName(file.fileName),
          contentType: file.contentType,
          size: file.bytes.length,
          uploadedAt: yield* DateTime.nowAsDate
        }
        const key = yield* cases.keyOf(row.organizationId, row.caseId)
        if (yield* repo.insert(key, row)) {
          yield* store.write(key, row, file.bytes)
          yield* follow(row)
          return row
        }
        const known = yield* repo.find(row.organizationId, id)
        return Option.getOrThrowWith(known, () => new Error(`The document ${id} is not there any more`))
      }, inTransaction(sql))

      return Documents.of({
        add: Effect.fn("Documents.add")((document) => stored(document, () => Effect.void)),
        attach: Effect.fn("Documents.attach")((document, staff) =>
          stored(document, ({ caseId, id: documentId, organizationId }) =>
            Effect.orDie(
              cases.record(organizationId, caseId, { type: "FILE_ATTACHED", details: { documentId } }, staff)
            )
          )
        ),
        find: Effect.fn("Documents.find")(repo.find),
        newest: Effect.fn("Documents.newest")(repo.newest)
      })
    })
  ).pipe(Layer.provide([Cases.layer, DocumentStore.layerPostgres]))
}
