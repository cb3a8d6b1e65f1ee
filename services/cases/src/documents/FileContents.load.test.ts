import { layerPool } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { caseWithFiles, detailPath, textFile } from "../../test/caseWithFiles.ts"
import { Cases, layerCases } from "../../test/runCases.ts"
import { pieceBytes } from "./pieces.ts"

const layerSql = Layer.unwrap(
  Effect.map(Cases, ({ settings }) =>
    layerPool({ url: Redacted.make(settings.DATABASE_URL), schema: "cases", connections: 1, backgroundConnections: 1 })
  )
)

// A file with its link, the part that base64 replaces by the contents.
const linkedFile =
  /("fileName":"Größe (\d+)-(\d+)\.txt","contentType":"[^"]+","size":\d+,"uploadedAt":"[^"]+",)"url":"[^"]+"/g

layer(layerSql.pipe(Layer.provideMerge(layerCases)), { excludeTestServices: true, timeout: "60 seconds" })(
  "contents of files",
  (it) => {
    const read = (caseId: string, format: "base64" | "url") =>
      Effect.flatMap(Cases, ({ call }) => call("GET", detailPath(caseId, format)))

    // Returns how many bytes of a response arrived, and whether it was complete.
    const download = Effect.fnUntraced(function* (path: string) {
      const { headers, url } = yield* Cases
      const requestHeaders = yield* headers(path.startsWith("/api/v1/documents/") ? "link" : "partner")
      return yield* Effect.promise(async () => {
        const answer = await fetch(`${url}${path}`, { headers: requestHeaders })
        let bytes = 0
        try {
          for await (const chunk of answer.body ?? []) bytes += chunk.length
          return { status: answer.status, isWhole: true, bytes }
        } catch {
          return { status: answer.status, isWhole: false, bytes }
        }
      })
    })

    it.effect("a response with contents is the response with links, each replaced by the contents", () =>
      Effect.gen(function* () {
        const sizes = [1, 2, 3, 1000, pieceBytes - 1, pieceBytes, pieceBytes + 1, 2 * pieceBytes + 2, 5, 700_001]
        const requests = [sizes, [...sizes].reverse(), [7], [8]].map((request) => request.map(textFile))
        const caseId = yield* caseWithFiles(requests)
        const linked = yield* read(caseId, "url")
        let replaced = 0
        const expected = linked.text.replace(linkedFile, (_file, before, request, index) => {
          replaced += 1
          return `${before}"content":"${requests[request]?.[index]?.toString("base64")}"`
        })
        assert.strictEqual(replaced, 22)

        const inline = yield* read(caseId, "base64")
        assert.strictEqual(inline.status, 200)
        assert.isTrue(inline.text === expected)
        assert.strictEqual(inline.headers.get("content-type"), linked.headers.get("content-type"))
        assert.strictEqual(inline.headers.get("content-length"), String(Buffer.byteLength(expected)))
      })
    )

    it.effect("later damage breaks the response off, in base64 and behind a link", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const size = 8 * pieceBytes
        const caseId = yield* caseWithFiles([[textFile(size)]])
        const inline = detailPath(caseId, "base64")
        const [, link = ""] = /"url":"[^"]*(\/api[^"]+)"/.exec((yield* read(caseId, "url")).text) ?? []
        for (const path of [inline, link]) assert.include(yield* download(path), { status: 200, isWhole: true })
        yield* sql`
          UPDATE document_pieces SET bytes = set_byte(bytes, 5000, get_byte(bytes, 5000) # 1) WHERE index = 7
        `
        for (const path of [inline, link]) {
          const { bytes, ...answer } = yield* download(path)
          assert.deepStrictEqual(answer, { status: 200, isWhole: false }, path)
          assert.isAbove(bytes, pieceBytes)
        }
      })
    )

    it.effect("missing contents, and damage at the start, are a 500 that shows nothing", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const refused = Effect.fnUntraced(function* (caseId: string) {
          const { status, text } = yield* read(caseId, "base64")
          const { requestId: _, ...body } = JSON.parse(text)
          assert.deepStrictEqual([status, body], [500, { status, success: false, message: "Internal server error" }])
        })
        const large = yield* caseWithFiles([[textFile(9 * pieceBytes)]])
        yield* sql`DELETE FROM document_pieces WHERE index = 8`
        yield* refused(large)
        const small = yield* caseWithFiles([[textFile(1000), textFile(1000)]])
        assert.strictEqual((yield* read(small, "base64")).status, 200)
        yield* sql`UPDATE document_pieces SET bytes = set_byte(bytes, 20, get_byte(bytes, 20) # 1) WHERE index = 0`
        yield* refused(small)
      })
    )
  }
)
