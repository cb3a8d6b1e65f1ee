import { connect } from "node:net"
import { services } from "@care/sandbox"
import { exchange, rawRequest } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { caseBody, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

/** Sends a request whose head has a number of bytes. */
const headOf = (target: string, key: string, bytes: number): string => {
  const head = (filler: string) => rawRequest("GET", target, [`cv-api-key: ${key}`, `x-filler: ${filler}`])
  return head("x".repeat(bytes - head("").length))
}

testsOn(Suite.shared, "the gateway", (it) => {
  it("answers 404 and 405 with the documented bodies, and every answer carries a request id", function* () {
    const unknown = yield* call("GET", "/api/v1/nothing")
    assert.deepStrictEqual([unknown.status, unknown.json], [404, { status: 404, success: false, error: "Not found" }])
    const method = yield* call("DELETE", "/api/v1/cases")
    assert.strictEqual(method.status, 405)
    assert.strictEqual(method.headers.get("allow"), "POST, GET, HEAD")
    assert.deepInclude(method.json, { status: 405, success: false })
    for (const { headers } of [unknown, method]) assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/)
  })

  it("keeps a request id that is a UUID or a ULID, and replaces any other, which it returns in addition", function* () {
    const ping = (id: string) => call("GET", "/health/live", { headers: { "x-request-id": id } })
    for (const id of ["0B8E7F7A-3C1D-4e57-9a53-0a4d8d6f1c2b", "01ARZ3NDEKTSV4RRFFQ69G5FAV"]) {
      const { headers } = yield* ping(id)
      assert.deepStrictEqual([headers.get("x-request-id"), headers.get("x-client-request-id")], [id, null])
    }
    for (const id of ["order-7:retry_1.a", "none", "a b", "<script>", "x".repeat(100), "x".repeat(101), "\u00e9"]) {
      const { headers } = yield* ping(id)
      assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/)
      assert.strictEqual(headers.get("x-client-request-id"), id.length > 100 || id === "\u00e9" ? null : id)
    }
  })

  it("a request head of any size is answered or refused with 431: services accept what the gateway accepts and adds", function* () {
    const { key } = yield* makeClinic
    const { urls } = yield* Suite
    const statusOf = (bytes: number) =>
      Effect.map(exchange(urls.gateway, headOf("/api/v1/organization/bundles?isVisible=true", key, bytes)), (text) =>
        Number(text.split(" ")[1])
      )
    const border = 16 * 1024
    for (const from of [15_800, 16_200, border - 30]) {
      const sizes = Array.from({ length: 60 }, (_, index) => from + index)
      const statuses = yield* Effect.forEach(sizes, statusOf, { concurrency: 10 })
      assert.deepStrictEqual(
        statuses.filter((status) => status !== 200 && status !== 431),
        []
      )
      assert.deepStrictEqual(statuses.toSorted(), statuses)
      assert.strictEqual(statuses[0], 200)
    }
    assert.strictEqual(yield* statusOf(border + 500), 431)
  })

  it("413: a body over 1 MiB, or over 20 MiB where files are sent, and nothing is created", function* () {
    const clinic = yield* makeClinic
    const { urls } = yield* Suite
    const headers = { "cv-api-key": clinic.key, "content-type": "application/json" }
    const sizes = { "/api/v1/cases": 1, "/api/v1/dynamic-case": 20 }
    for (const [path, mebibytes] of Object.entries(sizes)) {
      const declared = Buffer.alloc((mebibytes + 1) * 1024 * 1024, 32)
      const streamed = new ReadableStream({
        start: (controller) => {
          for (let count = 0; count <= mebibytes; count += 1) controller.enqueue(Buffer.alloc(1024 * 1024, 32))
          controller.close()
        }
      })
      for (const body of [declared, streamed]) {
        const refused = yield* Effect.promise(() =>
          fetch(`${urls.gateway}${path}`, { method: "POST", headers, body, duplex: "half" })
        )
        assert.deepStrictEqual(yield* Effect.promise(() => refused.json()), {
          status: 413,
          success: false,
          error: `Request body is larger than ${mebibytes} MiB`
        })
      }
    }
  })

  it("a large body below the limit goes through, and so does the large answer to it", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    const question = { question: "Anything else?", answer: "x".repeat(20_000), type: "TEXT" }
    const questions = Array.from({ length: 50 }, () => question)
    const created = yield* call("POST", "/api/v1/cases", {
      key: clinic.key,
      body: { ...body, products: [{ id: clinic.productId, form: { questions } }] }
    })
    assert.strictEqual(created.status, 200)
    const read = yield* admin("GET", `/cases/${created.json.data.caseId}`)
    assert.deepStrictEqual(
      read.json.formResponses[0].questions.map(({ answer }: { answer: string }) => answer.length),
      questions.map(() => 20_000)
    )
  })

  it("a path is taken literally: its endpoint answers, however long a parameter is and whatever is in it", function* () {
    const { key, organizationId } = yield* makeClinic
    const knownPath = yield* admin("GET", `/organizations/${organizationId}/api-keys`)
    assert.strictEqual(knownPath.status, 200)
    for (const id of [`${organizationId};x=y`, `${organizationId}%3Bx`, "x".repeat(300), "50%", "%ff"]) {
      const refused = yield* admin("GET", `/organizations/${id}/api-keys`)
      assert.deepStrictEqual([refused.status, refused.json.detail], [400, "organizationId, must be a valid UUID"], id)
    }
    const bundle = yield* call("GET", `/api/v1/organization/bundles/${"x".repeat(300)}`, { key })
    assert.strictEqual(bundle.status, 400)
    assert.strictEqual(bundle.json.message, "Invalid request parameters")
  })

  it("400 Invalid action on the shared paths, for unknown, missing and unreadable actions", function* () {
    const clinic = yield* makeClinic
    const invalidAction = { status: 400, success: false, message: "Invalid request", error: "Invalid action" }
    for (const path of ["/api/v1/cases/3b241101-e2bb-4255-8caf-4136c566a962", "/api/v1/users"]) {
      for (const raw of ['{"action":"DANCE"}', "{}", "", "[]", "{", '{"action":7}']) {
        yield* expectAnswer(call("POST", path, { key: clinic.key, raw }), 400, invalidAction)
      }
    }
  })

  it("all endpoints read bodies by one rule: JSON with any of its media types, in UTF-8, and nothing else", function* () {
    const { key } = yield* makeClinic
    const profile = JSON.stringify({ action: "UPDATE_PROFILE", data: { email: "nobody@example.com" } })
    const form = JSON.stringify({ key, caseId: "x", formTitle: "More", questions: [] })
    const expected = "must be application/json, in UTF-8"
    const requests = [
      ["/api/v1/cases", { key, raw: "{}" }, `body, ${expected}`],
      ["/api/v1/dynamic-case", { key, raw: "{}" }, `Validation failed: body: ${expected}`],
      ["/api/v1/customer-dynamic-case-form", { key, raw: form }, `The 'body' param is not valid: ${expected}`],
      ["/api/v1/customer-dynamic-case-form", { raw: form }, `The 'body' param is not valid: ${expected}`],
      ["/api/v1/users", { key, raw: profile }, `body, ${expected}`],
      ["/admin/v1/organizations", { isOperator: true, raw: '{"name":"Acme"}' }, `body, ${expected}`]
    ] as const
    for (const type of ["application/json, text/plain", "garbage", "multipart/form-data; boundary=x"]) {
      for (const [path, options, text] of requests) {
        const refused = yield* call("POST", path, { ...options, headers: { "content-type": type } })
        assert.strictEqual(refused.status, 400, path)
        const { detail, error, message } = refused.json
        assert.include([detail, error, message], text, path)
      }
    }
    const unknown = { success: false, message: "User nobody@example.com does not exist" }
    for (const type of ["", "text/plain", "application/json; charset=UTF-8", "application/problem+json"]) {
      const raw = `\ufeff${profile}`
      yield* expectAnswer(
        call("POST", "/api/v1/users", { key, raw, headers: { "content-type": type } }),
        400,
        unknown,
        type
      )
    }
  })

  it("401 on the shared paths, each in its own form", function* () {
    const cases = "/api/v1/cases/3b241101-e2bb-4255-8caf-4136c566a962"
    for (const options of [{}, { key: "cv_wrong" }]) {
      const refused = yield* call("POST", cases, { ...options, body: { action: "DANCE" } })
      assert.strictEqual(refused.status, 401)
      assert.deepInclude(refused.json, { status: 401, success: false, message: "Invalid request" })
      yield* expectAnswer(call("POST", "/api/v1/users", { ...options, body: { action: "DANCE" } }), 401, {
        status: 401,
        error: "Invalid API key"
      })
    }
  })

  it("serves the OpenAPI documents without a key; nothing internal is in them or reachable", function* () {
    const document = yield* call("GET", "/openapi.json")
    assert.strictEqual(document.json.openapi.slice(0, 3), "3.1")
    assert.property(document.json.paths, "/api/v1/cases")
    assert.deepStrictEqual((yield* call("GET", "/openapi/partner.json")).json, document.json)
    const admin = yield* call("GET", "/openapi/admin.json")
    assert.property(admin.json.paths, "/admin/v1/jobs")
    for (const { json } of [document, admin]) assert.notInclude(JSON.stringify(json), "/internal/")
    const internal = yield* call("POST", "/internal/v1/keys/resolve", { isOperator: true, body: { keyHash: "x" } })
    assert.strictEqual(internal.status, 404)
  })

  it("services answer 401 to calls without an identity token, on every path, and stay open for probes", function* () {
    const { secrets, urls } = yield* Suite
    for (const name of services) {
      const at = (path: string, headers: Record<string, string> = {}) =>
        Effect.promise(() => fetch(`${urls[name]}${path}`, { headers }))
      for (const path of ["/", "/api/v1/customer-case-detail", "/admin/v1/organizations", "/internal/v1/x"]) {
        assert.strictEqual((yield* at(path)).status, 401)
        const forged = yield* at(path, {
          "x-care-identity": "e30.e30",
          authorization: `Bearer ${secrets.ADMIN_TOKEN}`
        })
        assert.strictEqual(forged.status, 401)
      }
      for (const path of ["/health/live", "/health/ready", "/metrics"]) {
        assert.strictEqual((yield* at(path)).status, 200)
      }
    }
  })

  it("every process listens on the loopback address only, unless it is told otherwise", function* () {
    const { urls } = yield* Suite
    const accepts = (host: string, port: number) =>
      Effect.callback<boolean>((resume) => {
        const socket = connect(port, host)
        socket.once("connect", () => {
          socket.destroy()
          resume(Effect.succeed(true))
        })
        socket.once("error", () => resume(Effect.succeed(false)))
      })
    for (const url of Object.values(urls)) {
      const port = Number(new URL(url).port)
      // The second address belongs to this machine, too, but only a process that listens on all addresses answers there.
      const outcomes = [yield* accepts("127.0.0.1", port), yield* accepts("127.0.0.2", port)]
      assert.deepStrictEqual(outcomes, [true, false])
    }
  })

  it("an identity token from a caller is not passed on", function* () {
    const refused = yield* call("GET", "/api/v1/customer-case-detail?caseId=x", {
      headers: { "x-care-identity": "e30.e30" }
    })
    assert.strictEqual(refused.status, 401)
  })
})
