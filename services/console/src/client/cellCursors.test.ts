import { CellsCursor, PageCursor } from "@care/domain/http"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { withCellCursors } from "./cellCursors.ts"

const position = { createdAt: new Date(7), id: "0b9f2c8e-6c1d-4f43-9d55-2f8a7c1e4b60" }
const ofOne = Schema.encodeSync(PageCursor)(Schema.decodeUnknownSync(Schema.toType(PageCursor))(position))
const ofSeveral = Schema.encodeSync(CellsCursor)(
  Schema.decodeUnknownSync(Schema.toType(CellsCursor))({ cells: { c1: position, c2: position } })
)

const sentUrls: Array<string> = []
const answering = (nextCursor: string | null) =>
  withCellCursors((input) => {
    sentUrls.push(String(input))
    return Promise.resolve(Response.json({ data: [], nextCursor }))
  })

it("the cursor of several cells reads as one of a cell, and is sent as it was", async () => {
  const fetchPage = answering(ofSeveral)
  const { nextCursor } = await (await fetchPage("http://localhost/admin/v1/cases")).json()
  assert.notStrictEqual(nextCursor, ofSeveral)
  assert.doesNotThrow(() => Schema.decodeUnknownSync(PageCursor)(nextCursor))
  await fetchPage(`http://localhost/admin/v1/cases?cursor=${nextCursor}&limit=2`)
  assert.strictEqual(sentUrls.at(-1), `http://localhost/admin/v1/cases?cursor=${ofSeveral}&limit=2`)
})

it("other cursors and answers stay as they are", async () => {
  assert.strictEqual((await (await answering(ofOne)("http://localhost/a")).json()).nextCursor, ofOne)
  assert.isNull((await (await answering(null)(`http://localhost/a?cursor=${ofOne}`)).json()).nextCursor)
  assert.strictEqual(sentUrls.at(-1), `http://localhost/a?cursor=${ofOne}`)
})
