import { createHash } from "node:crypto"
import { services } from "@care/sandbox"
import { serveListener } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { calendarEvent, createEvent } from "./harness/calendar.ts"
import { admin, CallHeaders, call } from "./harness/call.ts"
import { encodingsOf } from "./harness/canary/markers.ts"
import { inDatabase, inEveryDatabase, jobsDone } from "./harness/database.ts"
import { endpoints } from "./harness/endpoints.ts"
import { erase, patientOf } from "./harness/erasures.ts"
import { caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { idIn } from "./harness/paymentSetup.ts"
import { orderBody, placeOrder } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { codeSentTo, refresh, sendCode, verifyCode } from "./harness/signIn.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

// A marker in texts that must not be readable.
const secret = "kanarienvogel"
// A marker in texts that a caller chooses.
const caller = { "user-agent": "wiedehopf/1", "x-forwarded-for": "203.0.113.77" }

/** Returns the tables with a row that contains the text: plain, in hexadecimal or in base64. */
const tablesWith = (text: string) => {
  return inEveryDatabase(
    Effect.fnUntraced(function* (sql, schema) {
      const tables = yield* sql<{ name: string }>`
        SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = ${schema} AND table_type = 'BASE TABLE'
      `
      assert.isAbove(tables.length, 10)
      const found: Array<string> = []
      for (const { name } of tables) {
        const rows = yield* sql`
          SELECT 1 FROM ${sql(`${schema}.${name}`)} AS t
          WHERE EXISTS (SELECT FROM unnest(${encodingsOf(text)}::text[]) AS form WHERE position(form IN t::text) > 0) LIMIT 1
        `
        if (rows.length > 0) found.push(`${schema}.${name}`)
      }
      return found
    })
  )
}

testsOn(Suite.layer, "a dump of the database", (it) => {
  it("shows after an erasure nothing of what a caller put into idempotency keys and request ids", function* () {
    const clinic = yield* makeClinic
    const mark = "Wendehals"
    const headers = (operation: string) => ({
      "idempotency-key": `${operation} of ${mark}`,
      "x-request-id": `${operation}-of-${mark}`
    })
    const send = (path: string, body: unknown, operation: string) =>
      call("POST", `/api/v1${path}`, { key: clinic.key, headers: headers(operation), body })
    const { user, ...body } = caseBody(clinic)
    const created = yield* send(
      "/cases",
      { ...body, user: { ...user, lastName: mark }, idempotencyKey: `case of ${mark}` },
      "creation"
    )
    const caseId: string = created.json.data.caseId
    const { email } = user
    const answers = [
      created,
      yield* send("/users", { action: "UPDATE_PROFILE", data: { email, address: "1 Main St" } }, "profile"),
      yield* send("/payments/intent", { amount: 10, metadata: { email } }, "intent"),
      yield* send(
        `/cases/${caseId}/payments`,
        { idempotencyKey: `payment of ${mark}`, amount: 10, description: "First month" },
        "payment"
      ),
      yield* createEvent(clinic, caseId, calendarEvent(), headers("event")),
      yield* placeOrder(clinic, caseId, { ...orderBody(), idempotencyKey: `order of ${mark}` }, {}, headers("order"))
    ]
    for (const { headers, json, status } of answers) {
      assert.include([200, 201], status, JSON.stringify(json))
      assert.include(headers.get("x-client-request-id"), mark)
    }
    yield* jobsDone("cases", "order-hand-over")
    for (const schema of services) {
      const keys = inDatabase(
        schema,
        (sql) => sql`
          SELECT FROM ${sql(`${schema}.idempotency_keys`)} WHERE organization_id = ${clinic.organizationId}
        `
      )
      assert.isNotEmpty(yield* keys, schema)
    }
    // The search finds it where it is stored readably: in the name only.
    assert.deepStrictEqual(yield* tablesWith(mark), ["auth.users", "cases.people"])
    assert.strictEqual((yield* erase(yield* patientOf(clinic, caseId), true)).status, 200)
    yield* jobsDone("payments", "customer-deletion")
    assert.deepStrictEqual(yield* tablesWith(mark), [])
  })

  it("shows no client secret of the gateway, which whoever has it can pay or confirm with", function* () {
    const clinic = yield* makeClinic
    const { email } = newPatient()
    const post = Effect.fnUntraced(function* (path: string, body: object) {
      const headers = { "idempotency-key": path }
      const { json } = yield* call("POST", `/api/v1/payments/${path}`, { key: clinic.key, headers, body })
      return String(json.paymentSecret ?? json.data.paymentIntentSecret)
    })
    const intent = post("intent", { amount: 10, metadata: { email } })
    const payment = { providerReference: { type: "PAYMENT_INTENT", id: idIn(yield* intent) } }
    yield* createCase(clinic, { ...caseBody(clinic), status: "ABANDONED", idempotencyKey: "checkout", payment })
    yield* jobsDone("cases", "payment-recording")
    assert.include(yield* tablesWith(payment.providerReference.id), "payments.payments")
    for (const request of [intent, post("setup", { email })]) {
      const secret = yield* request
      assert.strictEqual(yield* request, secret)
      assert.deepStrictEqual(yield* tablesWith(secret.slice(secret.indexOf("_secret_") + "_secret_".length)), [])
    }
    const output = (yield* Suite).output.join("\n")
    assert.include(output, "POST /api/v1/payments/intent")
    assert.notInclude(output, "_secret_")
  })

  it("shows no key of a partner, no token of a patient, no code and no password, but what they are checked by", function* () {
    yield* Effect.gen(function* () {
      const clinic = yield* makeClinic
      const body = caseBody(clinic)
      yield* createCase(clinic, body)
      const { email } = body.user
      yield* sendCode(clinic.key, { email })
      const code = yield* codeSentTo(email)
      const codes = inDatabase(
        "auth",
        (sql) => sql<{ codeHash: string }>`
          SELECT code_hash AS "codeHash" FROM auth.one_time_codes WHERE identifier = ${email}
        `
      )
      for (const { codeHash } of yield* until(codes, ({ length }) => length === 1)) {
        assert.match(codeHash, /^[0-9a-f]{128}$/)
        assert.notInclude(codeHash, createHash("sha3-512").update(code).digest("hex"))
      }
      const first = (yield* verifyCode(clinic.key, { email, code })).json
      const second = (yield* refresh(clinic.key, first.refreshToken)).json
      assert.strictEqual(second.patientId, first.patientId)
      assert.include(yield* tablesWith(clinic.key.slice(0, 11)), "auth.api_keys")
      assert.include(yield* tablesWith(createHash("sha3-512").update(clinic.key).digest("hex")), "auth.api_keys")
      for (const secret of [
        clinic.key,
        first.refreshToken,
        second.refreshToken,
        first.accessToken,
        second.accessToken
      ]) {
        assert.isAbove(secret.length, 30)
        assert.deepStrictEqual(yield* tablesWith(secret), [])
      }
      // Neither the address nor the user agent of a caller is stored.
      const output = (yield* Suite).output.join("\n")
      for (const text of Object.values(caller)) {
        assert.deepStrictEqual(yield* tablesWith(text), [])
        assert.notInclude(output, text)
      }
    }).pipe(Effect.provideService(CallHeaders, caller))
  })

  it("shows no URL of a webhook endpoint, no secret of one, and nothing of what it answers", function* () {
    const clinic = yield* makeClinic
    const { url } = yield* serveListener((_, response) => response.writeHead(200).end(`Thanks, ${secret}`))
    const headers = { "idempotency-key": "sealed" }
    const created = yield* endpoints("POST", clinic, "", { headers, body: { url: `${url}/${secret}` } })
    const { id, secret: first } = created.json.data
    const rotated = yield* endpoints("POST", clinic, `/${id}/rotate-secret`, { headers })
    yield* createCase(clinic, caseBody(clinic))
    const { json } = yield* until(endpoints("GET", clinic, `/${id}/deliveries`), (answer) =>
      answer.json.data.some(({ status }: { readonly status: string }) => status === "DELIVERED")
    )
    assert.include(json.data[0].attempts[0].answer, secret)
    assert.includeMembers(yield* tablesWith(id), ["cases.webhook_endpoints", "cases.webhook_deliveries"])
    for (const text of [secret, first.slice("whsec_".length), rotated.json.data.secret.slice("whsec_".length)]) {
      assert.deepStrictEqual(yield* tablesWith(text), [])
    }
  })

  it("sealed values that were moved to another row do not open: a 500 without details, and a log line with the place", function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const patient: string = (yield* admin("GET", `/cases/${caseId}`)).json.submitter.id
    for (const text of ["first", "second"]) {
      const comment = yield* admin("POST", `/cases/${caseId}/comments`, {
        authorUserId: patient,
        text: `${text} ${secret}`,
        isRestricted: false
      })
      assert.strictEqual(comment.status, 201)
    }
    const detail = call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key })
    assert.strictEqual((yield* detail).json.caseDetail.comments.length, 2)
    const swapped = yield* inDatabase(
      "cases",
      (sql) => sql`
          UPDATE cases.comments c SET text = other.text FROM cases.comments other
          WHERE c.case_id = ${caseId} AND other.case_id = ${caseId} AND other.id <> c.id
          RETURNING c.id
        `
    )
    assert.strictEqual(swapped.length, 2)
    const { json, status } = yield* detail
    assert.deepStrictEqual(
      [status, json],
      [500, { status: 500, success: false, message: "Internal server error", requestId: json.requestId }]
    )
    const output = (yield* Suite).output.join("\n")
    assert.match(output, /comments\.text does not open with the key [A-Za-z0-9_-]{22}:/)
    assert.notInclude(output, secret)
  })
})
