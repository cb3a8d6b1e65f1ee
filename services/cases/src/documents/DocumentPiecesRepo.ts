import { DocumentId, type OrganizationId } from "@care/domain"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Piece } from "./pieces.ts"

const sealedPieces = rowsOf(Schema.Struct({ sealed: Schema.Uint8Array }))
const pieceCounts = rowsOf(Schema.Struct({ documentId: DocumentId, count: Schema.Int }))

/** SQL of the pieces of documents, which are sealed. */
export const makeDocumentPiecesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    insert: (organizationId: OrganizationId, { documentId, index }: Piece, sealed: Uint8Array) =>
      execute(sql`
        INSERT INTO document_pieces (organization_id, document_id, index, sealed)
        VALUES (${organizationId}, ${documentId}, ${index}::integer, ${sealed})
      `),

    /** Those of the pieces that are there, in the order asked for. */
    find: (organizationId: OrganizationId, pieces: ReadonlyArray<Piece>) => {
      const ids = pieces.map(({ documentId }) => documentId)
      const indexes = pieces.map(({ index }) => index)
      return sealedPieces.all(sql`
        SELECT p.sealed
        FROM unnest(${ids}::uuid[], ${indexes}::integer[]) WITH ORDINALITY AS wanted (id, index, position)
        JOIN document_pieces p
          ON p.organization_id = ${organizationId} AND p.document_id = wanted.id AND p.index = wanted.index
        ORDER BY wanted.position
      `)
    },

    /** How many pieces each of the documents has; none is not told. */
    count: (organizationId: OrganizationId, ids: ReadonlyArray<DocumentId>) =>
      pieceCounts.all(sql`
        SELECT document_id, count(*)::integer AS count FROM document_pieces
        WHERE organization_id = ${organizationId} AND document_id = ANY(${ids}::uuid[])
        GROUP BY document_id
      `)
  }
})
