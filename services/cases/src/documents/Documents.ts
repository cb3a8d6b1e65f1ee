import { randomUUID } from "node:crypto"
import { type CaseId, DocumentId, type OrganizationId, type UserId } from "@care/domain/ids"
import { inTransaction, Quotas, Time } from "@care/service-kit"
import { Context, Effect, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Cases, type NewestOfCase } from "../case/index.ts"
import { cleanFileName } from "./cleanFileName.ts"
import { DocumentStore } from "./DocumentStore.ts"
import { type DocumentRow, makeDocumentsRepo } from "./DocumentsRepo.ts"
import type { ReceivedFile } from "./receiveFile.ts"

/** A checked file for a case. The `id` makes it idempotent. */
export interface NewDocument {
  readonly organizationId: OrganizationId
  readonly caseId: CaseId
  readonly commentId?: string | undefined
  readonly uploadedBy: UserId
  readonly id?: DocumentId | undefined
  readonly file: ReceivedFile
}

/** A file whose contents are read piece by piece. */
export interface OpenedDocument {
  readonly document: DocumentRow
  readonly contents: Stream.Stream<Uint8Array>
}

/** The files of cases: answers to questions, attachments and prescriptions. */
export class Documents extends Context.Service<
  Documents,
  {
    /**
     * Stores a file without an activity: it came with an answer or a comment, which has its own. Joins the caller's transaction, if
     * there is one. When the id is stored already, it changes nothing and returns the stored document.
     */
    readonly add: (document: NewDocument) => Effect.Effect<DocumentRow>
    /**
     * Stores a file as `add` does, with the activity FILE_ATTACHED, because it came by itself: an upload, a prescription or a download.
     */
    readonly attach: (document: NewDocument) => Effect.Effect<DocumentRow>
    readonly find: (organizationId: OrganizationId, id: DocumentId) => Effect.Effect<Option.Option<DocumentRow>>
    readonly open: (document: DocumentRow) => Effect.Effect<OpenedDocument>
    /** Returns documents without those of comments. */
    readonly newest: NewestOfCase<DocumentRow>
  }
>()("@care/cases/documents/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const repo = yield* makeDocumentsRepo
      const store = yield* DocumentStore
      const cases = yield* Cases
      const quotas = yield* Quotas
      const sql = yield* SqlClient.SqlClient

      // `afterInsert` runs in the same transaction, unless the file was stored before.
      const addDocument = Effect.fnUntraced(function* (
        { file, id = DocumentId.make(randomUUID()), ...document }: NewDocument,
        afterInsert: (row: DocumentRow) => Effect.Effect<unknown>
      ) {
        const row: DocumentRow = {
          ...document,
          id,
          commentId: document.commentId ?? null,
          fileName: cleanFileName(file.fileName),
          contentType: file.contentType,
          size: file.bytes.length,
          uploadedAt: yield* Time.nowAsDate
        }
        const key = yield* cases.keyOf(row.organizationId, row.caseId)
        if (yield* repo.insert(key, row)) {
          yield* store.write(key, row, file.bytes)
          if ((yield* Time.TestOrganization) !== undefined) yield* quotas.recountSoon(row.organizationId, "DOCUMENTS")
          yield* afterInsert(row)
          return row
        }
        const existing = yield* repo.find(row.organizationId, id)
        return Option.getOrThrowWith(existing, () => new Error(`The document ${id} is not there any more`))
      }, inTransaction(sql))

      return Documents.of({
        add: Effect.fn("Documents.add")((document) => addDocument(document, () => Effect.void)),
        attach: Effect.fn("Documents.attach")((document) =>
          addDocument(document, ({ caseId, id: documentId, organizationId }) =>
            Effect.orDie(cases.record(organizationId, caseId, { type: "FILE_ATTACHED", details: { documentId } }))
          )
        ),
        find: Effect.fn("Documents.find")(repo.find),
        open: Effect.fn("Documents.open")(function* (document) {
          const pieces = yield* store.read(document.organizationId, [document])
          return { document, contents: Stream.map(pieces, ({ bytes }) => bytes) }
        }),
        newest: Effect.fn("Documents.newest")(repo.newest)
      })
    })
  ).pipe(Layer.provide([Cases.layer, DocumentStore.layerPostgres]))
}
