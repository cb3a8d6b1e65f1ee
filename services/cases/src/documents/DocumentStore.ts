import type { DocumentId, OrganizationId } from "@care/domain/ids"
import type { PatientKey } from "@care/phi"
import { Context, Effect, Layer, Semaphore, Stream } from "effect"
import { makeDocumentPiecesRepo } from "./DocumentPiecesRepo.ts"
import { batchesOf, type Piece, piecesOf, type SizedDocument } from "./pieces.ts"

// However many contents are read, this many connections are busy with it.
const readersAtOnce = 4

/** A piece of a document with what is in it. */
export interface OpenedPiece extends Piece {
  readonly bytes: Uint8Array
}

interface DocumentKey {
  readonly organizationId: OrganizationId
  readonly id: DocumentId
}

const incomplete = (ids: ReadonlyArray<DocumentId>) =>
  new Error(`Contents are missing of the documents ${ids.join(", ")}`)

/** Where the contents of documents are kept, and nothing else of them. */
export class DocumentStore extends Context.Service<
  DocumentStore,
  {
    /**
     * Keeps the contents of a document that is stored already, sealed with the key of its patient, inside the caller's
     * transaction if there is one.
     */
    readonly write: (key: PatientKey, document: DocumentKey, bytes: Buffer) => Effect.Effect<void>
    /**
     * The contents of documents of the organization, one after the other, for one reader. No more than 256 KiB are read at
     * a time, each time the reader asks for more, and nothing is held in between. What is missing, or damaged in the first
     * 256 KiB, is a defect before there is a stream; what is damaged further on is one of the stream.
     */
    readonly read: (
      organizationId: OrganizationId,
      documents: ReadonlyArray<SizedDocument>
    ) => Effect.Effect<Stream.Stream<OpenedPiece>>
  }
>()("@care/cases/documents/DocumentStore") {
  /** Contents in PostgreSQL, in sealed pieces of 256 KiB. Opening what was changed is a defect. */
  static readonly layerPostgres = Layer.effect(
    DocumentStore,
    Effect.gen(function* () {
      const repo = yield* makeDocumentPiecesRepo
      const turns = yield* Semaphore.make(readersAtOnce)

      const opened = Effect.fnUntraced(function* (organizationId: OrganizationId, batch: ReadonlyArray<Piece>) {
        const rows = yield* repo.find(organizationId, batch).pipe(turns.withPermit)
        return batch.map((piece, at): OpenedPiece => {
          const row = rows[at]
          if (row === undefined) throw incomplete(batch.map(({ documentId }) => documentId))
          const length = piece.end - piece.start
          // A document of somebody who was erased is as long as it was, and says nothing.
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
          const [first = [], ...rest] = batchesOf(documents.flatMap(piecesOf))
          if (rest.length > 0) yield* requireComplete(organizationId, documents)
          const head = yield* opened(organizationId, first)
          return Stream.concat(
            Stream.fromIterable(head),
            Stream.fromIterable(rest).pipe(
              Stream.mapEffect((batch) => opened(organizationId, batch)),
              Stream.flattenIterable
            )
          )
        })
      })
    })
  )
}
