import { randomBytes } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Cases } from "./runCases.ts"

const Created = Schema.fromJsonString(Schema.Struct({ data: Schema.Struct({ caseId: Schema.String }) }))
const decodeCreated = Schema.decodeUnknownSync(Created)

/** Returns a file of `size` bytes of text, a type that is accepted at any size. Its begin is of no other type, as `BM` would be. */
export const textFile = (size: number): Buffer =>
  Buffer.from(`text ${randomBytes(size).toString("base64")}`.slice(0, size), "latin1")

const answers = (files: ReadonlyArray<Buffer>, request: number) => ({
  type: "FILE",
  question: "Your scans, weighed",
  required: true,
  answer: files.map((file, index) => ({ name: `Größe ${request}-${index}.txt`, data: file.toString("base64") }))
})

const post = Effect.fnUntraced(function* (path: string, body: object) {
  const { status, text } = yield* (yield* Cases).call("POST", path, body)
  assert.strictEqual(status, 200, text)
  return decodeCreated(text).data.caseId
})

/** Creates a case with files, those of each request in one answer, named `Größe <request>-<file>.txt`. */
export const caseWithFiles = Effect.fnUntraced(function* ([first = [], ...others]: ReadonlyArray<
  ReadonlyArray<Buffer>
>) {
  const caseId = yield* post("/api/v1/dynamic-case", {
    firstName: "Maria",
    lastName: "Lopez",
    email: "maria@example.com",
    formTitle: "Größe ✓",
    questions: [answers(first, 0)]
  })
  yield* Effect.forEach(others, (files, index) =>
    post("/api/v1/customer-dynamic-case-form", {
      caseId,
      formTitle: "More",
      questions: [{ ...answers(files, index + 1), questionId: "q-1" }]
    })
  )
  return caseId
})

/** Returns the path of a case with its files. */
export const detailPath = (caseId: string, format: "base64" | "url"): string =>
  `/api/v1/customer-case-detail?caseId=${caseId}&includeAttachments=true&documentFormat=${format}`
