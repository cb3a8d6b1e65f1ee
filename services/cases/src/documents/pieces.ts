import type { DocumentId } from "@care/domain/ids"

/** The bytes of a document that are sealed together. It cannot change, because stored documents have pieces of this size. */
export const pieceBytes = 256 * 1024

/** `size` is in bytes. */
export interface SizedDocument {
  readonly id: DocumentId
  readonly size: number
}

/** One piece of a document: the `index`-th of `count`, from byte `start` to before `end`. */
export interface DocumentPiece {
  readonly documentId: DocumentId
  readonly index: number
  readonly count: number
  readonly start: number
  readonly end: number
}

/** Returns the pieces of a document, in order. An empty document has one, so that a document without pieces is damaged. */
export const piecesOf = ({ id, size }: SizedDocument): ReadonlyArray<DocumentPiece> => {
  const count = Math.max(1, Math.ceil(size / pieceBytes))
  return Array.from({ length: count }, (_, index) => ({
    documentId: id,
    index,
    count,
    start: index * pieceBytes,
    end: Math.min(size, (index + 1) * pieceBytes)
  }))
}

/** Groups pieces that are read together, of at most the bytes of one large piece. */
export const batchesOf = (pieces: ReadonlyArray<DocumentPiece>): ReadonlyArray<ReadonlyArray<DocumentPiece>> => {
  const batches: Array<Array<DocumentPiece>> = []
  let bytes = 0
  for (const piece of pieces) {
    bytes += piece.end - piece.start
    const last = batches.at(-1)
    if (last === undefined || bytes > pieceBytes) {
      batches.push([piece])
      bytes = piece.end - piece.start
    } else {
      last.push(piece)
    }
  }
  return batches
}
