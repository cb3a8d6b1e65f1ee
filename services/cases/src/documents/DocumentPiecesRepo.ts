import { DocumentId, OrganizationId } from "@care/domain/ids"
import { type OpenedRow, type PatientKey, patientKeyOfBytes, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { DocumentPiece } from "./pieces.ts"

// Only erased pieces are empty.
const erasedBytes = new Uint8Array()

/** A piece of a document. The number of pieces is part of its key, so that a truncated document does not open. */
const PieceRow = sealedRow("document_pieces", ["organizationId", "documentId", "index", "count"], {
  organizationId: OrganizationId,
  documentId: DocumentId,
  index: Schema.Int,
  count: Schema.Int,
  bytes: sealed(Schema.Uint8Array, erasedBytes)
})
const pieceCounts = rowsOf(Schema.Struct({ documentId: DocumentId, count: Schema.Int }))

export const makeDocumentPiecesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const pieceRows = yield* sealedRowsOf(PieceRow)
  const keyOfPiece = sql.literal(patientKeyOfBytes("p.organization_id", "p.bytes"))
  return {
    insert: (key: PatientKey, piece: OpenedRow<typeof PieceRow>) =>
      execute(sql`
        INSERT INTO document_pieces (organization_id, document_id, index, bytes)
        VALUES (
          ${piece.organizationId}, ${piece.documentId}, ${piece.index}::integer, ${pieceRows.seal(key, piece).bytes}
        )
      `),

    /** Returns those of the pieces that are stored, in the order of `pieces`. */
    find: (organizationId: OrganizationId, pieces: ReadonlyArray<DocumentPiece>) => {
      const ids = pieces.map(({ documentId }) => documentId)
      const indexes = pieces.map(({ index }) => index)
      const counts = pieces.map(({ count }) => count)
      return pieceRows.all(sql`
        SELECT p.organization_id, p.document_id, p.index, requested.count, p.bytes, ${keyOfPiece} AS patient_key
        FROM unnest(${ids}::uuid[], ${indexes}::integer[], ${counts}::integer[]) WITH ORDINALITY
          AS requested (id, index, count, position)
        JOIN document_pieces p
          ON p.organization_id = ${organizationId} AND p.document_id = requested.id AND p.index = requested.index
        ORDER BY requested.position
      `)
    },

    /** Returns the number of pieces of each document that has any. */
    count: (organizationId: OrganizationId, ids: ReadonlyArray<DocumentId>) =>
      pieceCounts.all(sql`
        SELECT document_id, count(*)::integer AS count FROM document_pieces
        WHERE organization_id = ${organizationId} AND document_id = ANY(${ids}::uuid[])
        GROUP BY document_id
      `)
  }
})
