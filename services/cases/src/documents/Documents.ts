import { randomUUID } from "node:crypto"
import { type CaseId, DocumentId, type OrganizationId, type UserId } from "@care/domain"
import { Context, Data, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { cleanFileName } from "./cleanFileName.ts"
import { decideContentType } from "./contentTypes.ts"
import { DocumentStore } from "./DocumentStore.ts"
import { type DocumentRow, DocumentsRepo } from "./DocumentsRepo.ts"

/** How many bytes a file may have: 10 MiB. */
export const largestFileBytes = 10 * 1024 * 1024

/** How many files one request may bring to a case. */
export const mostFilesPerRequest = 20

/** A file is not taken. `reason` quotes nothing of it. */
export class DocumentRefused extends Data.TaggedError("DocumentRefused")<{ readonly reason: string }> {}

/** A file for a case. `declaredType` is what its sender says it is; the same `id` again is the same file again. */
export interface NewDocument {
  readonly organizationId: OrganizationId
  readonly caseId: CaseId
  readonly commentId?: string | undefined
  readonly fileName: string
  readonly declaredType?: string | undefined
  readonly bytes: Buffer
  readonly uploadedBy: UserId
  readonly id?: DocumentId | undefined
}

/** The files of cases: answers to questions, attachments and prescriptions. */
export class Documents extends Context.Service<
  Documents,
  {
    /**
     * Stores a file with its contents, inside the caller's transaction if there is one. When the id is stored already,
     * nothing changes and the document is what was stored.
     */
    readonly add: (file: NewDocument) => Effect.Effect<DocumentRow, DocumentRefused>
    /** The documents of a case without their contents, the oldest first, at most 1000. */
    readonly ofCase: (organizationId: OrganizationId, caseId: CaseId) => Effect.Effect<ReadonlyArray<DocumentRow>>
    /** The contents of those of the ids that are documents of the organization, in one statement. */
    readonly contents: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<DocumentId>
    ) => Effect.Effect<ReadonlyMap<DocumentId, Buffer>>
    readonly find: (organizationId: OrganizationId, id: DocumentId) => Effect.Effect<Option.Option<DocumentRow>>
  }
>()("@care/cases/documents/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const repo = yield* DocumentsRepo
      const store = yield* DocumentStore
      const sql = yield* SqlClient.SqlClient

      const insert = (row: DocumentRow, bytes: Buffer) =>
        sql
          .withTransaction(Effect.tap(repo.insert(row), (isNew) => (isNew ? store.write(row.id, bytes) : Effect.void)))
          .pipe(Effect.orDie)

      const add = Effect.fn("Documents.add")(function* (
        file: NewDocument
      ): Effect.fn.Return<DocumentRow, DocumentRefused> {
        if (file.bytes.length > largestFileBytes) {
          return yield* new DocumentRefused({ reason: "must have at most 10 MiB" })
        }
        const contentType = yield* Effect.mapError(
          decideContentType(file.bytes, file.declaredType),
          ({ reason }) => new DocumentRefused({ reason })
        )
        const row: DocumentRow = {
          id: file.id ?? DocumentId.make(randomUUID()),
          organizationId: file.organizationId,
          caseId: file.caseId,
          commentId: file.commentId ?? null,
          fileName: cleanFileName(file.fileName),
          contentType,
          size: file.bytes.length,
          uploadedBy: file.uploadedBy,
          uploadedAt: yield* DateTime.nowAsDate
        }
        if (yield* insert(row, file.bytes)) return row
        const known = yield* repo.find(file.organizationId, row.id)
        return Option.isSome(known) ? known.value : yield* new DocumentRefused({ reason: "there is no such case" })
      })

      return Documents.of({
        add,
        ofCase: Effect.fn("Documents.ofCase")(repo.ofCase),
        contents: Effect.fn("Documents.contents")(store.readAll),
        find: Effect.fn("Documents.find")(repo.find)
      })
    })
  ).pipe(Layer.provide(DocumentsRepo.layer))
}
