import { randomBytes } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { assertDocumented } from "./harness/assertDocumented.ts"
import { admin, call } from "./harness/call.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const pdf = (size = 1000) => Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(size - 9)])

testsOn(Suite.shared, "files of cases", (it) => {
  const clinicWithCase = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const patient: string = (yield* admin("GET", `/cases/${caseId}`)).json.submitter.id
    return { clinic, caseId, patient }
  })

  const file = (bytes: Buffer, changes: Readonly<Record<string, unknown>> = {}) => ({
    fileName: "report.pdf",
    contentType: "application/pdf",
    content: bytes.toString("base64"),
    ...changes
  })
  const attach = (caseId: string, uploadedByUserId: string, body: object) =>
    admin("POST", `/cases/${caseId}/attachments`, { uploadedByUserId, ...body })
  const detail = (clinic: Clinic, caseId: string, query = "") =>
    Effect.map(
      call("GET", `/api/v1/customer-case-detail?caseId=${caseId}${query}`, { key: clinic.key }),
      ({ json }) => json.caseDetail
    )
  const download = (url: string) =>
    Effect.promise(async () => {
      const response = await fetch(url)
      const { headers, status } = response
      const bytes = Buffer.from(await response.arrayBuffer())
      const body = response.ok ? bytes.toString() : JSON.parse(bytes.toString())
      assertDocumented("GET", new URL(url).pathname, status, headers.get("content-type"), body)
      return { status, headers, bytes }
    })

  it("an attachment is read back in base64, by default, and by a link", function* () {
    const { caseId, clinic, patient } = yield* clinicWithCase
    const bytes = pdf(300_000)
    const added = yield* attach(caseId, patient, file(bytes, { fileName: "C:\\scans\\report 1.pdf" }))
    assert.strictEqual(added.status, 201)
    const { uploadedAt, uploadedBy, ...plain } = added.json
    assert.deepStrictEqual(plain, {
      id: plain.id,
      fileName: "report 1.pdf",
      contentType: "application/pdf",
      size: 300_000
    })
    assert.match(uploadedAt, /Z$/)
    assert.strictEqual(uploadedBy.id, patient)
    const without = yield* detail(clinic, caseId)
    assert.strictEqual(without.id, caseId)
    assert.notProperty(without, "attachments")
    const inline = yield* detail(clinic, caseId, "&includeAttachments=true")
    assert.deepStrictEqual(inline.attachments, [{ ...added.json, content: bytes.toString("base64") }])
    const linked = yield* detail(clinic, caseId, "&includeAttachments=true&documentFormat=url")
    const [{ url, ...rest }] = linked.attachments
    assert.deepStrictEqual(rest, added.json)

    const [{ url: listedUrl, ...listed }] = (yield* admin("GET", `/cases/${caseId}/attachments`)).json.data
    assert.deepStrictEqual(listed, added.json)

    const answer = yield* download(url)
    assert.strictEqual(answer.status, 200)
    assert.isTrue(answer.bytes.equals(bytes))
    assert.isTrue((yield* download(listedUrl)).bytes.equals(bytes))
    assert.strictEqual(answer.headers.get("content-type"), "application/pdf")
    assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff")
    assert.strictEqual(answer.headers.get("content-disposition"), "attachment; filename*=UTF-8''report%201.pdf")
  })

  it("403: a link that was changed in any part, or forged", function* () {
    const { caseId, clinic, patient } = yield* clinicWithCase
    const other = yield* clinicWithCase
    yield* attach(caseId, patient, file(pdf()))
    yield* attach(other.caseId, other.patient, file(pdf()))
    const read = (at: typeof other) => detail(at.clinic, at.caseId, "&includeAttachments=true&documentFormat=url")
    const { url } = (yield* read({ caseId, clinic, patient })).attachments[0]
    const foreign = (yield* read(other)).attachments[0]
    const { urls } = yield* Suite
    const changed = [
      url.replace(/expires=\d+/, "expires=99999999999"),
      url.replace(/signature=[^&]+/, "signature=x"),
      url.replace(/organizationId=[^&]+/, `organizationId=${other.clinic.organizationId}`),
      url.replace(/documents\/[^?]+/, `documents/${foreign.id}`),
      url.replace(/documents\/[^?]+/, "documents/x"),
      url.split("?")[0],
      `${urls.gateway}/api/v1/documents/${foreign.id}?organizationId=&expires=&signature=`
    ]
    for (const link of changed) {
      const answer = yield* download(link)
      assert.strictEqual(answer.status, 403, link)
      assert.deepStrictEqual(JSON.parse(answer.bytes.toString()), {
        status: 403,
        success: false,
        error: "The link is not valid or has expired"
      })
    }
  })

  it("a comment's files come with the comment, all or nothing", function* () {
    const { caseId, clinic, patient } = yield* clinicWithCase
    const say = (attachments: ReadonlyArray<object>) =>
      admin("POST", `/cases/${caseId}/comments`, {
        authorUserId: patient,
        text: "My scans",
        isRestricted: false,
        attachments
      })
    const bytes = pdf()
    const refused = yield* say([file(bytes), file(bytes, { content: "no base64!" })])
    assert.deepStrictEqual(
      [refused.status, refused.json.detail],
      [422, "attachments.1.content, must be base64 with its padding"]
    )
    assert.deepStrictEqual((yield* detail(clinic, caseId)).comments, [])
    const many = yield* say(Array.from({ length: 21 }, () => file(bytes)))
    assert.deepStrictEqual([many.status, many.json.detail], [400, "attachments, must be at most 20 files"])
    const comment = yield* say([file(bytes), file(Buffer.from("a,b"), { fileName: "b.csv", contentType: "text/csv" })])
    assert.strictEqual(comment.status, 201)
    const plain = (yield* detail(clinic, caseId)).comments
    assert.deepStrictEqual(plain, [comment.json])
    const full = yield* detail(clinic, caseId, "&includeAttachments=true")
    assert.deepStrictEqual(
      full.comments[0].attachments.map(({ content }: { content: string }) => content),
      [bytes.toString("base64"), Buffer.from("a,b").toString("base64")]
    )
    assert.deepStrictEqual(full.attachments, [])
  })

  it("422: invalid base64, and files that are too large, not as declared or not accepted; nothing is stored", function* () {
    const { caseId, clinic, patient } = yield* clinicWithCase
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64"
    )
    for (const [body, text] of [
      [file(pdf(), { content: "%%%=" }), "content, must have no characters outside the base64 alphabet"],
      [file(pdf(10 * 1024 * 1024 + 1)), "content, must have at most 10 MiB"],
      [file(png), "content, the content is not of the declared type"],
      [file(Buffer.from("<html>"), { contentType: undefined }), "content, files of this type are not accepted"],
      [file(Buffer.from("MZ\0\0")), "content, files of this type are not accepted"]
    ] as const) {
      const refused = yield* attach(caseId, patient, body)
      assert.deepStrictEqual([refused.status, refused.json.detail], [422, text])
    }
    const stranger = yield* clinicWithCase
    const byStranger = yield* attach(caseId, stranger.patient, file(pdf()))
    assert.deepStrictEqual(
      [byStranger.status, byStranger.json.detail],
      [422, `The organization knows no user ${stranger.patient}.`]
    )
    const unknown = yield* attach("00000000-0000-4000-8000-000000000000", patient, file(pdf()))
    assert.strictEqual(unknown.status, 404)
    assert.deepStrictEqual((yield* detail(clinic, caseId, "&includeAttachments=true")).attachments, [])
  })
})
