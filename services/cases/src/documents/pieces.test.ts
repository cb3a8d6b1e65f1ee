import { randomUUID } from "node:crypto"
import { DocumentId } from "@care/domain/ids"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { batchesOf, pieceBytes, piecesOf } from "./pieces.ts"

const size = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 4 * pieceBytes }),
  fc.constantFrom(pieceBytes - 1, pieceBytes, pieceBytes + 1, 2 * pieceBytes)
)
const documents = fc.array(
  size.map((bytes) => ({ id: DocumentId.make(randomUUID()), size: bytes })),
  { maxLength: 20 }
)
const bytesOf = (pieces: ReadonlyArray<{ readonly start: number; readonly end: number }>): number =>
  pieces.reduce((bytes, { end, start }) => bytes + end - start, 0)

describe("pieces", () => {
  it("cover the whole document without a gap, and none is larger than `pieceBytes`", () => {
    fc.assert(
      fc.property(size, (bytes) => {
        const pieces = piecesOf({ id: DocumentId.make(randomUUID()), size: bytes })
        assert.strictEqual(bytesOf(pieces), bytes)
        for (const [index, piece] of pieces.entries()) {
          assert.deepInclude(piece, { index, count: pieces.length, start: pieces[index - 1]?.end ?? 0 })
          assert.isAtMost(piece.end - piece.start, pieceBytes)
        }
        assert.isNotEmpty(pieces)
      })
    )
  })

  it("are read in order, in as few batches of bounded size as that allows", () => {
    fc.assert(
      fc.property(documents, (documentList) => {
        const pieces = documentList.flatMap(piecesOf)
        const batches = batchesOf(pieces)
        assert.deepStrictEqual(batches.flat(), pieces)
        for (const [index, batch] of batches.entries()) {
          assert.isAtMost(bytesOf(batch), pieceBytes)
          const next = batches[index + 1]?.[0]
          if (next !== undefined) assert.isAbove(bytesOf([...batch, next]), pieceBytes)
        }
      })
    )
  })
})
