import { randomBytes } from "node:crypto"
import { serveListener } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call, expectAnswer } from "./harness/call.ts"
import { jobsDone } from "./harness/database.ts"
import {
  adminCase,
  countOf,
  createDynamicCase as create,
  failed,
  submitCaseForm as submit
} from "./harness/dynamicCases.ts"
import {
  type Clinic,
  caseBody,
  createCase,
  dynamicBody,
  makeClinic,
  weightQuestion as weight
} from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

testsOn(Suite.shared, "files in answers", (it) => {
  const pdf = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(1000)])
  const fileQuestion = { question: "Your ID", type: "WIDGET_USER_ID_DOCUMENT", required: true }
  const attachmentsOf = (clinic: Clinic, caseId: string) =>
    Effect.map(
      call("GET", `/api/v1/customer-case-detail?caseId=${caseId}&includeAttachments=true`, { key: clinic.key }),
      ({ json }): ReadonlyArray<{ readonly id: string; readonly fileName: string; readonly content: string }> =>
        json.caseDetail.attachments
    )

  /** Serves one file on this machine until the scope closes. */
  const fileServer = serveListener((request, response) =>
    request.url === "/id.pdf" ? response.end(pdf) : response.writeHead(404).end()
  )

  it("files in answers become attachments of the case: those in base64 at once, those with a URL by a job", function* () {
    const clinic = yield* makeClinic
    const { url } = yield* fileServer
    const answer = [
      { name: "front.pdf", data: pdf.toString("base64"), contentType: "application/pdf" },
      { name: "back.pdf", data: `${url}/id.pdf` },
      { name: "missing.pdf", data: `${url}/missing.pdf` }
    ]
    const body = dynamicBody({ questions: [weight, { ...fileQuestion, answer }] })
    const created = yield* create(clinic, body)
    assert.strictEqual(created.status, 200)
    const { caseId } = created.json.data
    yield* jobsDone("cases", "document-download", clinic)
    const attached = yield* attachmentsOf(clinic, caseId)
    assert.deepStrictEqual(
      attached.map(({ fileName }) => fileName),
      ["front.pdf", "back.pdf"]
    )
    for (const { content } of attached) assert.strictEqual(content, pdf.toString("base64"))
    const stored = JSON.parse((yield* adminCase(caseId)).formResponses[0].questions[1].answer)
    assert.deepStrictEqual(
      stored.map(({ name }: { name: string }) => name),
      ["front.pdf", "back.pdf", "missing.pdf"]
    )
    assert.deepStrictEqual(
      stored.slice(0, 2).map(({ documentId }: { documentId: string }) => documentId),
      attached.map(({ id }) => id)
    )

    const form = { caseId, formTitle: "More", questions: [{ ...fileQuestion, questionId: "q-1", answer }] }
    assert.strictEqual((yield* submit(clinic, form)).status, 200)
    yield* jobsDone("cases", "document-download", clinic)
    assert.strictEqual((yield* attachmentsOf(clinic, caseId)).length, 4)
  })

  it("400: unacceptable files in either request, and nothing is stored", function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const content = pdf.toString("base64")
    const shape =
      "must be an array of at most 10 objects with name and data (base64 or a URL), and contentType if known"
    for (const [answer, reason] of [
      [{ name: "a", data: content }, shape],
      [[{ name: "a", data: "no base64!" }], shape],
      [
        [{ name: "a", data: content, contentType: "image/png" }],
        "answer.0.data, the content is not of the declared type"
      ],
      [
        [{ name: "a", data: Buffer.from("<html>").toString("base64") }],
        "answer.0.data, files of this type are not accepted"
      ],
      [
        [
          { name: "a", data: content },
          { name: "b", data: "https://10.0.0.1/id.pdf" }
        ],
        "answer.1.data, must not lead to a private address"
      ],
      [[{ name: "a", data: "https://user:secret@a.example/" }], "answer.0.data, must not contain credentials"]
    ] as const) {
      yield* expectAnswer(
        create(clinic, dynamicBody({ questions: [weight, { ...fileQuestion, answer }] })),
        400,
        failed(`Question "Your ID" (questionId: none): ${reason}`)
      )
      const form = { caseId, formTitle: "More", questions: [{ ...fileQuestion, questionId: "q-1", answer }] }
      const refusedForm = yield* submit(clinic, form)
      assert.strictEqual(refusedForm.status, 400)
      assert.include(refusedForm.json.error, reason.split(", ").at(-1))
    }
    const ten = Array.from({ length: 10 }, () => ({ name: "a", data: content }))
    const questions = [weight, ...[1, 2, 3].map((number) => ({ ...fileQuestion, question: `${number}`, answer: ten }))]
    const tooMany = yield* create(clinic, dynamicBody({ questions }))
    assert.deepStrictEqual(tooMany.json, failed("Validation failed: questions: must have at most 20 files together"))
    const [counts] = yield* countOf(clinic)
    assert.deepStrictEqual(counts, { cases: 1, forms: 0, patients: 1 })
    assert.deepStrictEqual(yield* attachmentsOf(clinic, caseId), [])
  })
})
