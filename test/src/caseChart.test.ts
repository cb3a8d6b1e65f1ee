import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin } from "./harness/call.ts"
import { callAs, signedIn } from "./harness/callAs.ts"
import { inDatabase } from "./harness/database.ts"
import { addStaff, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"
import { changeUser } from "./harness/users.ts"

testsOn(Suite.shared, "the chart of a case", (it) => {
  const clinicWithFile = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic, { isTest: true })
    const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
    const providerId = yield* addStaff(clinic, {})
    yield* admin("POST", `/cases/${caseId}/assign`, { providerId })
    const content = Buffer.from("hello").toString("base64")
    const file = { fileName: "a b.txt", contentType: "text/plain", content, uploadedByUserId: providerId }
    const documentId: string = (yield* admin("POST", `/cases/${caseId}/attachments`, file)).json.id
    return {
      caseId,
      clinic,
      documentId,
      email: body.user.email,
      provider: signedIn(providerId, clinic.organizationId, "PROVIDER")
    }
  })
  /** Waits until the last read is recorded, and returns the records of an action. */
  const recordsOf = Effect.fnUntraced(function* (organizationId: string, caseId: string, action: string) {
    const path = `/audit?organizationId=${organizationId}&caseId=${caseId}`
    const isOf = (record: { readonly action: string }) => record.action === action
    const { json } = yield* until(admin("GET", path), (answer) => answer.json.data.some(isOf))
    const records: ReadonlyArray<{ readonly kinds: ReadonlyArray<string>; readonly actor: object }> =
      json.data.filter(isOf)
    return records
  })

  it("200: the patient with what they told about their health, and the read is audited", function* () {
    const { caseId, clinic, email, provider } = yield* clinicWithFile
    const told = { email, allergies: "Penicillin", currentMedications: "Lisinopril", healthConditions: "Asthma" }
    yield* changeUser(clinic.key, "UPDATE_PROFILE", told)
    const { json, status } = yield* callAs(provider, "cases", "GET", `/admin/v1/cases/${caseId}/patient`)
    assert.strictEqual(status, 200)
    assert.deepInclude(json.data, told)
    assert.notProperty(json.data, "communication")
    const [record] = yield* recordsOf(clinic.organizationId, caseId, "PROFILE_READ")
    assert.deepInclude(record, { kinds: ["PROFILE"], actor: { type: "USER", id: provider.userId } })
  })

  it("200: no patient who was removed", function* () {
    const { caseId } = yield* clinicWithFile
    const { id } = (yield* admin("GET", `/cases/${caseId}`)).json.submitter
    yield* inDatabase("auth", (sql) => sql`UPDATE auth.users SET deleted_at = now() WHERE id = ${id}`)
    assert.deepStrictEqual((yield* admin("GET", `/cases/${caseId}/patient`)).json, { data: null })
  })

  it("200: a file for download, and the read is audited", function* () {
    const { caseId, clinic, documentId, provider } = yield* clinicWithFile
    const { headers, json, status } = yield* callAs(
      provider,
      "cases",
      "GET",
      `/admin/v1/cases/${caseId}/files/${documentId}`
    )
    assert.deepStrictEqual([status, json], [200, "hello"])
    assert.strictEqual(headers.get("content-type"), "text/plain")
    assert.strictEqual(headers.get("content-disposition"), "attachment; filename*=UTF-8''a%20b.txt")
    assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
    const [record] = yield* recordsOf(clinic.organizationId, caseId, "DOCUMENT_READ")
    assert.deepInclude(record, { kinds: ["DOCUMENTS"], actor: { type: "USER", id: provider.userId } })
  })

  it("403: files for SUPPORT, unless the organization allows it", function* () {
    const { caseId, clinic, documentId } = yield* clinicWithFile
    const support = signedIn(yield* addStaff(clinic, { role: "SUPPORT" }), clinic.organizationId, "SUPPORT")
    const path = `/admin/v1/cases/${caseId}/files/${documentId}`
    assert.deepInclude((yield* callAs(support, "cases", "GET", path)).json, { status: 403, code: "REFUSED" })
    assert.strictEqual((yield* callAs(support, "cases", "GET", `/admin/v1/cases/${caseId}/patient`)).status, 200)
  })

  it("404: another case's file, and a case that a provider may not see, until they break the glass for an hour", function* () {
    const { caseId, clinic, documentId, provider } = yield* clinicWithFile
    const other = yield* clinicWithFile
    for (const id of [other.documentId, randomUUID()]) {
      const refused = yield* callAs(provider, "cases", "GET", `/admin/v1/cases/${caseId}/files/${id}`)
      assert.deepInclude(refused.json, { status: 404, title: "File not found" })
    }
    const second = signedIn(yield* addStaff(clinic, {}), clinic.organizationId, "PROVIDER")
    const read = (path: string) => callAs(second, "cases", "GET", `/admin/v1/cases/${caseId}${path}`)
    for (const path of ["/patient", `/files/${documentId}`]) assert.strictEqual((yield* read(path)).status, 404)
    const opened = yield* callAs(second, "cases", "POST", `/admin/v1/cases/${caseId}/break-glass`, { reason: "r" })
    for (const path of ["/patient", `/files/${documentId}`]) assert.strictEqual((yield* read(path)).status, 200)
    assert.strictEqual((yield* read("")).json.glassBrokenUntil, opened.json.expiresAt)
    assert.isNull((yield* callAs(provider, "cases", "GET", `/admin/v1/cases/${caseId}`)).json.glassBrokenUntil)
    for (const action of ["PROFILE_READ", "DOCUMENT_READ"]) {
      const [record] = yield* recordsOf(clinic.organizationId, caseId, action)
      assert.include(record?.kinds ?? [], "BREAK_GLASS", action)
    }
  })

  it("400: no ids", function* () {
    const { caseId } = yield* clinicWithFile
    assert.strictEqual((yield* admin("GET", "/cases/7/patient")).status, 400)
    assert.strictEqual((yield* admin("GET", `/cases/${caseId}/files/7`)).status, 400)
  })
})
