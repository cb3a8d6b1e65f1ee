import { randomUUID } from "node:crypto"
import { DocumentId } from "@care/domain/ids"
import { anyCharacter } from "@care/domain/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import { base64Length, writeContents } from "./writeContents.ts"

// A content, cut anywhere; a piece may be empty.
const cutContent = fc
  .tuple(fc.uint8Array({ maxLength: 50 }), fc.array(fc.nat(50), { maxLength: 6 }))
  .map(([bytes, cuts]) => {
    const content = Buffer.from(bytes)
    const ends = [...cuts.map((cut) => Math.min(cut, content.length)).sort((a, b) => a - b), content.length]
    return { content, pieces: ends.map((end, index) => content.subarray(ends[index - 1] ?? 0, end)) }
  })

const piecesOf = ({ pieces }: { readonly pieces: ReadonlyArray<Buffer> }) => {
  const documentId = DocumentId.make(randomUUID())
  return pieces.map((bytes, index) => ({
    documentId,
    index,
    count: pieces.length,
    start: 0,
    end: bytes.length,
    bytes
  }))
}

describe("writeContents", () => {
  it("writes the base64 of contents between texts, wherever they are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cutContent, fc.string({ unit: anyCharacter })), { maxLength: 5 }),
        fc.string({ unit: anyCharacter }),
        async (files, start) => {
          const texts = [start, ...files.map(([, text]) => text)]
          const pieces = Stream.fromIterable(files.flatMap(([content]) => piecesOf(content)))
          const written = Buffer.concat(await Effect.runPromise(Stream.runCollect(writeContents(texts, pieces))))
          const expected = files.map(([{ content }, text]) => `${content.toString("base64")}${text}`)
          assert.strictEqual(written.toString(), `${start}${expected.join("")}`)
        }
      )
    )
  })

  it("has as many characters as `base64Length` says", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        assert.strictEqual(Buffer.from(bytes).toString("base64").length, base64Length(bytes.length))
      })
    )
  })
})
