import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { jobsDone } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { closeCase, placeOrder } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { saveMethod } from "./harness/saveMethod.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const unknownId = "3b241101-e2bb-4255-8caf-4136c566a962"
const noKey = { status: 401, error: "Invalid API key" }
const invalid = (status: number, error: string) => ({ status, success: false, message: "Invalid request", error })

/** The identity of a row of a list. */
interface Row {
  readonly id: string
}

testsOn(Suite.shared, "reads of partners", (it) => {
  const read = ({ key }: Pick<Clinic, "key">, path: string) => call("GET", `/api/v1${path}`, { key })
  const newCase = (clinic: Clinic, changes: Readonly<Record<string, unknown>> = {}) =>
    Effect.map(
      createCase(clinic, caseBody(clinic, { isTest: true, ...changes })),
      ({ json }): string => json.data.caseId
    )
  const clinicWithCases = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const caseIds = [yield* newCase(clinic), yield* newCase(clinic)] as const
    return { clinic, caseIds }
  })

  /** Reads all pages of a list, and returns the ids of its rows. */
  const idsOf = Effect.fnUntraced(function* (
    clinic: Clinic,
    path: string,
    query: Readonly<Record<string, string>> = {},
    idOf: (row: Row & { readonly paymentId?: string }) => string = ({ id }) => id
  ) {
    const ids: Array<string> = []
    let cursor: string | undefined
    do {
      const more = cursor === undefined ? {} : { cursor }
      const answer = yield* read(clinic, `${path}?${new URLSearchParams({ limit: "2", ...query, ...more })}`)
      assert.deepInclude(answer.json, { status: 200, success: true })
      ids.push(...answer.json.data.map(idOf))
      cursor = answer.json.nextCursor ?? undefined
    } while (cursor !== undefined)
    return ids
  })

  it("401: each read without a valid key", function* () {
    const cases = `/cases/${unknownId}`
    const paths = ["/products", "/cases", `${cases}/orders`, `${cases}/escalations`, `${cases}/payments`]
    for (const path of [...paths, ...paths.slice(2).map((list) => `${list}/${unknownId}`)]) {
      for (const key of ["", "cv_unknown"]) yield* expectAnswer(read({ key }, path), 401, noKey, path)
    }
  })

  it("400: a filter, a limit or a cursor that is none", function* () {
    const { caseIds, clinic } = yield* clinicWithCases
    const refused: ReadonlyArray<readonly [string, string]> = [
      ["/products?isArchived=yes", "isArchived, must be one of true, false"],
      ["/products?limit=0", "limit, must be a value between 1 and 100"],
      ["/products?cursor=x", "cursor, must be the nextCursor of another page"],
      ["/cases?status=DONE", "status, "],
      ["/cases?isArchived=1", "isArchived, must be one of true, false"],
      ["/cases?updatedSince=yesterday", "updatedSince, must be a date and time"],
      ["/cases?limit=101", "limit, must be a value between 1 and 100"],
      [`/cases/${caseIds[0]}/orders?limit=x`, "limit, "],
      [`/cases/${caseIds[0]}/escalations?cursor=x`, "cursor, must be the nextCursor of another page"]
    ]
    for (const [path, error] of refused) {
      const { json, status } = yield* read(clinic, path)
      assert.deepStrictEqual([status, json.status, json.message], [400, 400, "Invalid request"], path)
      assert.include(json.error, error, path)
    }
    const payments = yield* read(clinic, `/cases/${caseIds[0]}/payments?limit=0`)
    assert.deepStrictEqual([payments.status, payments.json.success], [400, false])
    assert.include(payments.json.message, "limit, ")
  })

  it("products 200: those of the key's organization, oldest first, the archived ones when they are asked for", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const at = `/organizations/${clinic.organizationId}/products`
    const paid = { name: "Tirzepatide program", description: "Three months", price: "299.5", currency: "USD" }
    const { organizationId: _, ...second } = (yield* admin("POST", at, paid)).json
    const old = (yield* admin("POST", at, { name: "Old program" })).json
    yield* admin("PATCH", `${at}/${old.id}`, { isArchived: true })
    const { json } = yield* read(clinic, "/products")
    assert.deepStrictEqual(json, {
      status: 200,
      success: true,
      data: [
        {
          id: clinic.productId,
          name: "Semaglutide program",
          description: null,
          price: null,
          currency: null,
          isArchived: false,
          createdAt: json.data[0].createdAt
        },
        second
      ],
      nextCursor: null
    })
    assert.deepStrictEqual(yield* idsOf(clinic, "/products", { limit: "1" }), [clinic.productId, second.id])
    assert.deepStrictEqual(yield* idsOf(clinic, "/products", { isArchived: "true" }), [old.id])
    assert.deepStrictEqual(yield* idsOf(other, "/products"), [other.productId])
  })

  it("products 304: the ETag of the same answer, and 200 with another once a product has changed", function* () {
    const clinic = yield* makeClinic
    const products = (etag?: string) =>
      call("GET", "/api/v1/products", {
        key: clinic.key,
        headers: etag === undefined ? {} : { "if-none-match": etag }
      })
    const etag = (yield* products()).headers.get("etag") ?? assert.fail("no etag")
    const unchanged = yield* products(etag)
    assert.deepStrictEqual([unchanged.status, unchanged.json, unchanged.headers.get("etag")], [304, undefined, etag])
    const name = "Another program"
    yield* admin("PATCH", `/organizations/${clinic.organizationId}/products/${clinic.productId}`, { name })
    const changed = yield* products(etag)
    assert.deepStrictEqual([changed.status, changed.json.data[0].name], [200, name])
    assert.notStrictEqual(changed.headers.get("etag"), etag)
  })

  it("cases 200: a row has the fields of the case detail", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* newCase(clinic)
    const {
      assignedBy: _,
      comments: __,
      notes: ___,
      decisions: ____,
      ...fields
    } = (yield* read(clinic, `/customer-case-detail?caseId=${caseId}`)).json.caseDetail
    yield* expectAnswer(read(clinic, "/cases"), 200, { status: 200, success: true, data: [fields], nextCursor: null })
  })

  it("cases 200: each filter finds exactly the matching cases of the organization, newest first", function* () {
    const { caseIds, clinic } = yield* clinicWithCases
    const other = yield* clinicWithCases
    const abandoned = yield* newCase(clinic, { status: "ABANDONED" })
    const [first, closed] = caseIds
    const rows = (yield* read(clinic, "/cases")).json.data
    const { shortId, updatedAt } = rows[0]
    yield* closeCase(clinic, closed)
    const closedAt: string = (yield* read(clinic, "/cases?isArchived=true")).json.data[0].updatedAt
    const expected: ReadonlyArray<readonly [Readonly<Record<string, string>>, ReadonlyArray<string>]> = [
      [{}, [abandoned, closed, first]],
      [{ status: "open" }, [closed, first]],
      [{ status: "APPROVED" }, []],
      [{ isArchived: "true" }, [closed]],
      [{ isArchived: "false" }, [abandoned, first]],
      [{ updatedSince: updatedAt }, [abandoned, closed]],
      [{ updatedSince: closedAt }, [closed]],
      [{ updatedSince: closedAt, status: "ABANDONED" }, []],
      [{ shortId }, [abandoned]],
      [{ shortId: shortId.toLowerCase() }, [abandoned]],
      [{ shortId: shortId.slice(1) }, []],
      [{ shortId: "" }, []],
      [{ shortId, status: "OPEN" }, []]
    ]
    for (const [query, ids] of expected) {
      assert.deepStrictEqual(yield* idsOf(clinic, "/cases", query), ids, JSON.stringify(query))
    }
    assert.deepStrictEqual(yield* idsOf(other.clinic, "/cases", { shortId }), [])
    assert.deepStrictEqual(yield* idsOf(other.clinic, "/cases"), other.caseIds.toReversed())
  })

  it("cases 200: pages neither lose nor repeat a case while cases change and new ones come", function* () {
    const clinic = yield* makeClinic
    const caseIds: Array<string> = []
    for (let made = 0; made < 8; made += 1) caseIds.push(yield* newCase(clinic))
    const changes = Effect.forEach(
      caseIds,
      (id) => Effect.andThen(Effect.asVoid(newCase(clinic)), Effect.asVoid(closeCase(clinic, id))),
      { discard: true }
    )
    for (const query of [{}, { updatedSince: "2020-01-01T00:00:00Z" }]) {
      const [listed] = yield* Effect.all([idsOf(clinic, "/cases", { limit: "1", ...query }), changes], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        listed.filter((id) => caseIds.includes(id)),
        caseIds.toReversed()
      )
      assert.lengthOf(new Set(listed), listed.length)
    }
  })

  const ofCase = (
    name: string,
    add: (clinic: Clinic, caseId: string, number: number) => Effect.Effect<string, unknown, Suite>
  ) => {
    const noEntry = invalid(404, `No ${name} found for provided details!`)
    const noCase = invalid(404, "No Case found for provided details!")
    const path = (caseId: string) => `/cases/${caseId}/${name.toLowerCase()}s`

    it(`${name}: those of a case in pages, newest first, and each by its id in the case alone`, function* () {
      const { caseIds, clinic } = yield* clinicWithCases
      const [caseId, otherCaseId] = caseIds
      const ids = [yield* add(clinic, caseId, 0), yield* add(clinic, caseId, 1), yield* add(clinic, caseId, 2)]
      assert.deepStrictEqual(yield* idsOf(clinic, path(caseId)), ids.toReversed())
      const { json } = yield* read(clinic, path(caseId))
      const inBackOffice = (yield* admin("GET", path(caseId))).json
      assert.deepStrictEqual(json, { status: 200, success: true, ...inBackOffice })
      for (const data of json.data) {
        yield* expectAnswer(read(clinic, `${path(caseId)}/${data.id}`), 200, { status: 200, success: true, data })
        yield* expectAnswer(read(clinic, `${path(otherCaseId)}/${data.id}`), 404, noEntry)
      }
      assert.deepStrictEqual(yield* idsOf(clinic, path(otherCaseId)), [])
      for (const id of [unknownId, "x"]) yield* expectAnswer(read(clinic, `${path(caseId)}/${id}`), 404, noEntry)
    })

    it(`${name} 403 and 404: the case of another organization, and one that does not exist`, function* () {
      const { caseIds, clinic } = yield* clinicWithCases
      const other = yield* makeClinic
      const id = yield* add(clinic, caseIds[0], 0)
      for (const end of ["", `/${id}`]) {
        yield* expectAnswer(read(other, `${path(caseIds[0])}${end}`), 403, invalid(403, "Permission denied!"))
        for (const unknown of [unknownId, "x"]) {
          yield* expectAnswer(read(clinic, `${path(unknown)}${end}`), 404, noCase)
        }
      }
    })
  }

  ofCase("Order", (clinic, caseId) =>
    Effect.map(
      Effect.tap(placeOrder(clinic, caseId), () => jobsDone("cases", "order-hand-over")),
      ({ json }): string => json.data.order.id
    )
  )

  ofCase("Escalation", (clinic, caseId, number) => {
    const title = ["Cancellation", "Lab request", "Payment Received"][number]
    const body = { action: "ADD_ESCALATION", escalations: [{ type: "support", title, note: "Please call" }] }
    return Effect.gen(function* () {
      const { json } = yield* call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body })
      const id: string = json.data.escalations.at(-1).id
      // The first one is completed.
      if (number === 0) yield* admin("POST", `/escalations/${id}/complete`)
      return id
    })
  })

  const pay = (clinic: Clinic, caseId: string, body: object) =>
    Effect.map(
      call("POST", `/api/v1/cases/${caseId}/payments`, { key: clinic.key, body }),
      ({ json }) => json.data.result
    )

  it("payments 200: those of a case in pages, newest first, and each by its id, with its status", function* () {
    const { caseIds, clinic } = yield* clinicWithCases
    const [caseId] = caseIds
    yield* saveMethod(clinic, caseId, "pm_card_visa")
    const unpaid = yield* pay(clinic, caseId, { amount: 10, description: "First month" })
    const held = yield* pay(clinic, caseId, { amount: 49.5, description: "Second month", preauthorize: true })
    const path = `/cases/${caseId}/payments`
    const { json, status } = yield* read(clinic, path)
    assert.deepStrictEqual([status, json.status, json.success, json.nextCursor], [200, 200, true, null])
    const common = { discount: null, currency: "USD", productId: null, isInitial: false, providerReference: null }
    assert.deepStrictEqual(json.data.slice(0, 2), [
      {
        ...held,
        ...common,
        grossAmount: 49.5,
        captureBefore: json.data[0].captureBefore,
        refunded: 0,
        updatedAt: json.data[0].updatedAt
      },
      {
        ...unpaid,
        ...common,
        grossAmount: 10,
        captureBefore: null,
        refunded: null,
        updatedAt: json.data[1].updatedAt
      }
    ])
    assert.strictEqual(held.status, "AUTHORIZED")
    assert.deepStrictEqual(
      yield* idsOf(clinic, path, { limit: "1" }, ({ paymentId = "" }) => paymentId),
      json.data.map(({ paymentId }: { readonly paymentId: string }) => paymentId)
    )
    yield* admin("POST", `/payments/${held.paymentId}/capture`, {})
    yield* admin("POST", `/payments/${held.paymentId}/refund`, { amount: 9.5 })
    const one = yield* read(clinic, `${path}/${held.paymentId}`)
    assert.deepStrictEqual([one.status, one.json.status, one.json.success], [200, 200, true])
    assert.deepInclude(one.json.data, { paymentId: held.paymentId, status: "REFUND", amount: 49.5, refunded: 9.5 })
  })

  it("payments 400, 401 and 404: a case of another organization or none, and a payment that is not the case's", function* () {
    const { caseIds, clinic } = yield* clinicWithCases
    const other = yield* makeClinic
    const [caseId, otherCaseId] = caseIds
    const { paymentId } = yield* pay(clinic, caseId, { amount: 10, description: "First month" })
    const noCase = { success: false, message: "No Case found for provided details!" }
    for (const end of ["", `/${paymentId}`]) {
      const path = (id: string) => `/cases/${id}/payments${end}`
      yield* expectAnswer(read(other, path(caseId)), 401, { status: 401, error: "Permission denied" })
      for (const unknown of [unknownId, "x"]) yield* expectAnswer(read(clinic, path(unknown)), 400, noCase)
    }
    const noPayment = { success: false, message: "No Payment found for provided details!" }
    for (const path of [
      `${otherCaseId}/payments/${paymentId}`,
      `${caseId}/payments/${unknownId}`,
      `${caseId}/payments/x`
    ]) {
      yield* expectAnswer(read(clinic, `/cases/${path}`), 404, noPayment)
    }
  })

  it("each read is recorded with the kinds of data that it showed, and a refused one is not", function* () {
    const { caseIds, clinic } = yield* clinicWithCases
    const other = yield* makeClinic
    const [caseId] = caseIds
    yield* placeOrder(clinic, caseId)
    const at = `/api/v1/cases/${caseId}`
    const expected: ReadonlyArray<readonly [path: string, action: string, kinds: ReadonlyArray<string>]> = [
      ["/api/v1/cases", "CASE_FOUND", ["PROFILE", "CASES"]],
      [`${at}/orders`, "CASE_READ", ["ORDERS"]],
      [`${at}/escalations`, "CASE_READ", ["ESCALATIONS"]],
      [`${at}/payments`, "PAYMENTS_READ", ["PAYMENTS"]]
    ]
    for (const [path] of expected.slice(1)) yield* call("GET", path, { key: other.key })
    const requestIds = new Map<string, string>()
    for (const [path] of expected) {
      const { headers } = yield* call("GET", path, { key: clinic.key })
      requestIds.set(path, headers.get("x-request-id") ?? "")
    }
    for (const [path, action, kinds] of expected) {
      const ofRequest = Effect.map(read(clinic, `/audit-records?limit=100&action=${action}`), ({ json }) =>
        json.data.filter(({ requestId }: { readonly requestId: string }) => requestId === requestIds.get(path))
      )
      const [record] = yield* until(ofRequest, ({ length }) => length > 0)
      assert.deepInclude(record, { kinds, actor: { type: "API_KEY", id: clinic.keyId } }, path)
      assert.strictEqual(record.caseId, path === "/api/v1/cases" ? null : caseId, path)
    }
    const recordsOfOther = (yield* read(other, "/audit-records")).json.data
    assert.notInclude(JSON.stringify(recordsOfOther), caseId)
  })
})
