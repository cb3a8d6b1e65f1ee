import type { DocumentId, OrganizationId } from "@care/domain/ids"
import type { PatientKey } from "@care/phi"
import { Context, Effect, Layer, Semaphore, Stream } from "effect"
import { makeDocumentPiecesRepo } from "./DocumentPiecesRepo.ts"
import { batchesOf, type DocumentPiece, piecesOf, type SizedDocument } from "./pieces.ts"

const maxReaders = 4

export interface OpenedPiece extends DocumentPiece {
  readonly bytes: Uint8Array
}

interface DocumentKey {
  readonly organizationId: OrganizationId
  readonly id: DocumentId
}

const incomplete = (ids: ReadonlyArray<DocumentId>) =>
  new Error(`Contents are missing of the documents ${ids.join(", ")}`)

/** Stores the contents of documents. */
export class DocumentStore extends Context.Service<
  DocumentStore,
  {
    /** Stores the contents of a stored document, sealed with the key of its patient. Joins the caller's transaction. */
    readonly write: (key: PatientKey, document: DocumentKey, bytes: Buffer) => Effect.Effect<void>
    /**
     * Returns the contents of documents, one after the other. The stream reads at most 256 KiB whenever its reader wants more, and holds
     * no connection in between. Missing contents, and damage in the first 256 KiB, are defects before the stream begins.
     * Later damage is a defect of the stream.
     */
    readonly read: (
      organizationId: OrganizationId,
      documents: ReadonlyArray<SizedDocument>
    ) => Effect.Effect<Stream.Stream<OpenedPiece>>
  }
>()("@care/cases/documents/DocumentStore") {
  /** Stores contents in PostgreSQL, in sealed pieces of 256 KiB. A changed piece is a defect. */
  static readonly layerPostgres = Layer.effect(
    DocumentStore,
    Effect.gen(function* () {
      const repo = yield* makeDocumentPiecesRepo
      const readers = yield* Semaphore.make(maxReaders)

      const openBatch = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        batch: ReadonlyArray<DocumentPiece>
      ) {
        const rows = yield* repo.find(organizationId, batch).pipe(readers.withPermit)
        return batch.map((piece, index): OpenedPiece => {
          const row = rows[index]
          if (row === undefined) throw incomplete(batch.map(({ documentId }) => documentId))
          const length = piece.end - piece.start
          // The contents of an erased patient keep their length.
          const bytes = row.bytes.length === 0 ? Buffer.alloc(length) : row.bytes
          if (bytes.length !== length) throw incomplete([piece.documentId])
          return { ...piece, bytes }
        })
      })

      const requireComplete = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        documents: ReadonlyArray<SizedDocument>
      ) {
        const counted = yield* repo.count(
          organizationId,
          documents.map(({ id }) => id)
        )
        const counts = new Map(counted.map(({ count, documentId }) => [documentId, count]))
        const damaged = documents.filter((document) => counts.get(document.id) !== piecesOf(document).length)
        if (damaged.length > 0) return yield* Effect.die(incomplete(damaged.map(({ id }) => id)))
      })

      return DocumentStore.of({
        write: Effect.fn("DocumentStore.write")((key, { id, organizationId }, bytes) =>
          Effect.forEach(
            piecesOf({ id, size: bytes.length }),
            ({ count, documentId, end, index, start }) =>
              repo.insert(key, { organizationId, documentId, index, count, bytes: bytes.subarray(start, end) }),
            { discard: true }
          )
        ),
        read: Effect.fn("DocumentStore.read")(function* (organizationId, documents) {
          const [firstBatch = [], ...otherBatches] = batchesOf(documents.flatMap(piecesOf))
          if (otherBatches.length > 0) yield* requireComplete(organizationId, documents)
          const firstPieces = yield* openBatch(organizationId, firstBatch)
          return Stream.concat(
            Stream.fromIterable(firstPieces),
            Stream.fromIterable(otherBatches).pipe(
              Stream.mapEffect((batch) => openBatch(organizationId, batch)),
              Stream.flattenIterable
            )
          )
        })
      })
    })
  )
}
