import { DocumentId, OrganizationId } from "@care/domain"
import { PhiCipher } from "@care/service-kit"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

/** How many bytes of a document are sealed together. */
export const pieceBytes = 256 * 1024

/** Which document of whom. */
export interface DocumentKey {
  readonly organizationId: OrganizationId
  readonly id: DocumentId
}

const Piece = Schema.Struct({ documentId: DocumentId, sealed: Schema.Uint8Array })

// The empty document has one piece too, so that a document without pieces is known to be damaged.
const piecesOf = (bytes: Buffer): ReadonlyArray<Buffer> =>
  Array.from({ length: Math.max(1, Math.ceil(bytes.length / pieceBytes)) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes)
  )

// With the number of pieces in it, a document that lost its end does not open.
const placeOf = (id: DocumentId, index: number, count: number): string => `${id.toLowerCase()}/${index}/${count}`

/** Where the contents of documents are kept, and nothing else of them. */
export class DocumentStore extends Context.Service<
  DocumentStore,
  {
    /** Keeps the contents of a document that is stored already, inside the caller's transaction if there is one. */
    readonly write: (document: DocumentKey, bytes: Buffer) => Effect.Effect<void>
    /** The contents of a document that is stored. */
    readonly read: (document: DocumentKey) => Effect.Effect<Buffer>
    /** The contents of those of the ids that are documents of the organization, in one go. Ids are in lower case. */
    readonly readAll: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<DocumentId>
    ) => Effect.Effect<ReadonlyMap<DocumentId, Buffer>>
  }
>()("@care/cases/documents/DocumentStore") {
  /** Contents in PostgreSQL, in sealed pieces of 256 KiB. Opening what was changed is a defect. */
  static readonly layerPostgres = Layer.effect(
    DocumentStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const cipher = yield* PhiCipher

      const opened = (id: DocumentId, pieces: ReadonlyArray<typeof Piece.Type>) =>
        Effect.sync(() => {
          if (pieces.length === 0) throw new Error(`The document ${id} has no contents`)
          return Buffer.concat(
            pieces.map(({ sealed }, index) => cipher.openBytes(sealed, placeOf(id, index, pieces.length)))
          )
        })

      const findPieces = SqlSchema.findAll({
        Request: Schema.Struct({ organizationId: OrganizationId, id: DocumentId }),
        Result: Piece,
        execute: ({ id, organizationId }) => sql`
          SELECT document_id, sealed FROM document_pieces
          WHERE organization_id = ${organizationId} AND document_id = ${id}
          ORDER BY index
        `
      })

      const findAllPieces = SqlSchema.findAll({
        Request: Schema.Struct({ organizationId: OrganizationId, ids: Schema.Array(DocumentId) }),
        Result: Piece,
        execute: ({ ids, organizationId }) => sql`
          SELECT document_id, sealed FROM document_pieces
          WHERE organization_id = ${organizationId} AND document_id = ANY(${ids}::uuid[])
          ORDER BY document_id, index
        `
      })

      const write = Effect.fn("DocumentStore.write")(function* ({ id, organizationId }: DocumentKey, bytes: Buffer) {
        const sealed = piecesOf(bytes).map((piece, index, all) =>
          cipher.sealBytes(piece, placeOf(id, index, all.length))
        )
        yield* sql`
          INSERT INTO document_pieces (organization_id, document_id, index, sealed)
          SELECT ${organizationId}::uuid, ${id}::uuid, piece.position - 1, piece.sealed
          FROM unnest(${sealed}::bytea[]) WITH ORDINALITY AS piece (sealed, position)
        `
      }, Effect.orDie)

      const read = Effect.fn("DocumentStore.read")(function* ({ id, organizationId }: DocumentKey) {
        return yield* opened(id, yield* findPieces({ organizationId, id }))
      }, Effect.orDie)

      const readAll = Effect.fn("DocumentStore.readAll")(function* (
        organizationId: OrganizationId,
        ids: ReadonlyArray<DocumentId>
      ) {
        const pieces = Map.groupBy(yield* findAllPieces({ organizationId, ids }), ({ documentId }) => documentId)
        return new Map(
          yield* Effect.forEach(pieces, ([id, own]) => Effect.map(opened(id, own), (bytes) => [id, bytes] as const))
        )
      }, Effect.orDie)

      return DocumentStore.of({ write, read, readAll })
    })
  )
}
