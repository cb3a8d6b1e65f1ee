import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { whileInsertsFail } from "./harness/whileInsertsFail.ts"

const unknownId = "00000000-0000-4000-8000-000000000000"

testsOn(Suite.shared, "UPDATE_CASE_PRODUCT", (it) => {
  const action = "UPDATE_CASE_PRODUCT"
  const invalid = (error: string) => ({
    status: 400,
    success: false,
    message: "Invalid request",
    error,
    code: "VALIDATION_ERROR"
  })
  const updated = {
    status: 200,
    success: true,
    message: "Case product updated successfully",
    data: { success: true }
  }
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const newCase = (clinic: Clinic, productIds: ReadonlyArray<string> = [clinic.productId]) =>
    Effect.map(
      createCase(clinic, caseBody(clinic, { isTest: true, products: productIds.map((id) => ({ id })) })),
      ({ json }): string => json.data.caseId
    )
  const newProduct = ({ organizationId }: Clinic) =>
    Effect.map(
      admin("POST", `/organizations/${organizationId}/products`, { name: "Labs" }),
      ({ json }): string => json.id
    )
  const products = (caseId: string) => Effect.map(admin("GET", `/cases/${caseId}`), ({ json }) => json.products)
  const update = (
    { key }: Clinic,
    caseId: string,
    caseProductInput: unknown,
    headers: Readonly<Record<string, string>> = {}
  ) => call("POST", `/api/v1/cases/${caseId}`, { key, headers, body: { action, caseProductInput } })
  const accepted = Effect.fnUntraced(function* (clinic: Clinic, caseId: string, input: unknown) {
    yield* expectAnswer(update(clinic, caseId, input), 200, updated, JSON.stringify(input))
  })
  const refused = Effect.fnUntraced(function* (clinic: Clinic, caseId: string, input: unknown, error: string) {
    yield* expectAnswer(update(clinic, caseId, input), 400, invalid(error), JSON.stringify(input))
  })
  const activityOf = (caseId: string) =>
    Effect.map(admin("GET", `/cases/${caseId}/activity?limit=100`), ({ json }) =>
      json.data.map(({ details, type }: { type: string; details: object }) => [type, details])
    )

  it("CLOSE closes the product of the case with its reason, which is told to the back office", function* () {
    const clinic = yield* makeClinic
    const { productId } = clinic
    const other = yield* newProduct(clinic)
    const caseId = yield* newCase(clinic, [productId, other])
    yield* accepted(clinic, caseId, {
      productId: productId.toUpperCase(),
      status: "CLOSE",
      reason: "no longer needed"
    })
    const [closed, open] = yield* products(caseId)
    assert.deepInclude(closed, { productId, status: "CLOSED", closeReason: "no longer needed", dueDate: null })
    assert.match(closed.closedAt, /^20.*Z$/)
    assert.deepInclude(open, { productId: other, status: "OPEN", closeReason: null, closedAt: null })
    const detail = (yield* admin("GET", `/cases/${caseId}`)).json
    assert.deepInclude(detail, { status: "OPEN", isArchived: false })
    assert.isAtLeast(Date.parse(detail.updatedAt), Date.parse(closed.closedAt))
    yield* accepted(clinic, caseId, { productId: other, status: "CLOSE", dueDate: null, reason: null })
    assert.deepInclude((yield* products(caseId))[1], { status: "CLOSED", closeReason: null })
    assert.deepStrictEqual((yield* activityOf(caseId)).slice(1), [
      ["PRODUCT_CLOSED", { productId }],
      ["PRODUCT_CLOSED", { productId: other }]
    ])
  })

  it("dueDate moves the due date of an open product: today in UTC or later, a moment by its day in UTC", function* () {
    const clinic = yield* makeClinic
    const { productId } = clinic
    const caseId = yield* newCase(clinic)
    const dates = [
      [day(0), day(0)],
      [day(1), day(1)],
      [`${day(30)}T23:30:00Z`, day(30)],
      [`${day(30)}T23:30:00.000-01:00`, day(31)],
      [`${day(30)}T00:30+01:00`, day(29)],
      [`${day(30)}T00:30`, day(30)],
      ["2096-02-29", "2096-02-29"],
      ["9999-12-31", "9999-12-31"]
    ]
    for (const [dueDate, expected] of dates) {
      yield* accepted(clinic, caseId, { productId, dueDate })
      assert.deepInclude((yield* products(caseId))[0], { status: "OPEN", dueDate: expected, closedAt: null })
    }
    // Its current due date is not a change.
    yield* accepted(clinic, caseId, { productId, dueDate: "9999-12-31" })
    assert.deepStrictEqual(
      (yield* activityOf(caseId)).slice(1),
      dates.map(([, dueDate]) => ["PRODUCT_DUE_DATE_CHANGED", { productId, dueDate }])
    )
  })

  it("400: missing fields, wrong types and contradictory fields, and nothing changes", function* () {
    const clinic = yield* makeClinic
    const { productId } = clinic
    const caseId = yield* newCase(clinic)
    const path = (field: string, reason: string) => `caseProductInput.${field}, ${reason}`
    const uuid = path("productId", "Product id must be a valid UUID")
    const iso = path("dueDate", "must be a date in ISO 8601, such as 2026-03-31")
    const past = path("dueDate", "Due date cannot be in the past")
    const wrong: ReadonlyArray<readonly [input: unknown, error: string]> = [
      [undefined, "caseProductInput, Required"],
      [{ status: "CLOSE" }, uuid],
      ...["", "x", `${productId}0`, 1, null, true, [productId], { id: productId }].map(
        (wrongId) => [{ productId: wrongId, status: "CLOSE" }, uuid] as const
      ),
      ...["close", "OPEN", "", 1, true, ["CLOSE"], {}].map(
        (status) => [{ productId, status }, path("status", "must be CLOSE")] as const
      ),
      ...[1, true, ["x"], {}].map(
        (reason) => [{ productId, status: "CLOSE", reason }, path("reason", "must be a text")] as const
      ),
      [
        { productId, status: "CLOSE", reason: "x".repeat(10_001) },
        path("reason", "must be at most 10000 characters long")
      ],
      ...[1, true, ["2096-01-01"], {}].map(
        (dueDate) => [{ productId, dueDate }, path("dueDate", "must be a text")] as const
      ),
      ...["", "soon", "2097-02-29", "2096-2-1", "2096-13-01", "2096-02-30T00:00:00Z", "96-01-01"].map(
        (dueDate) => [{ productId, dueDate }, iso] as const
      ),
      ...["9999-12-31T23:59:59-05:00", "2096-01-01T24:00:00Z", "2096-01-01T00:00:00+25:00"].map(
        (dueDate) => [{ productId, dueDate }, iso] as const
      ),
      [{ productId, dueDate: day(-1) }, past],
      [{ productId, dueDate: "0001-01-01" }, past],
      [{ productId, dueDate: `${day(0)}T00:30:00+01:00` }, past],
      [{ productId, status: "CLOSE", dueDate: day(1) }, "dueDate and status cannot be updated in the same request"],
      [{ productId, status: "CLOSE", dueDate: day(-1) }, "dueDate and status cannot be updated in the same request"],
      [{ productId }, "caseProductInput, status or dueDate is required"],
      [{ productId, status: null, dueDate: null }, "caseProductInput, status or dueDate is required"],
      [{ productId, dueDate: day(1), reason: "x" }, path("reason", "is possible with status CLOSE only")],
      [{ productId: unknownId, status: "CLOSE" }, path("productId", "The case has no such product")],
      [{ productId: unknownId, dueDate: day(1) }, path("productId", "The case has no such product")]
    ]
    for (const [input, error] of wrong) yield* refused(clinic, caseId, input, error)
    for (const wrongAction of [1, null, true, [action], { is: action }, "update_case_product", undefined]) {
      const body = { action: wrongAction, caseProductInput: { productId, status: "CLOSE" } }
      const answer = yield* call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body })
      const { code: _, ...withoutCode } = invalid("Invalid action")
      assert.deepStrictEqual([answer.status, answer.json], [400, withoutCode])
    }
    assert.deepInclude((yield* products(caseId))[0], { status: "OPEN", dueDate: null, closedAt: null })
    assert.lengthOf(yield* activityOf(caseId), 1)
  })

  it("400: a product that is closed is not closed again, and gets no due date", function* () {
    const clinic = yield* makeClinic
    const { productId } = clinic
    const caseId = yield* newCase(clinic)
    yield* accepted(clinic, caseId, { productId, status: "CLOSE", reason: "first" })
    const before = yield* products(caseId)
    yield* refused(clinic, caseId, { productId, status: "CLOSE", reason: "second" }, "Case product is already closed")
    const text = "Due date can only be updated for an open case product"
    yield* refused(clinic, caseId, { productId, dueDate: day(1) }, text)
    assert.deepStrictEqual(yield* products(caseId), before)
    assert.lengthOf(yield* activityOf(caseId), 2)
  })

  it("a product that a case has twice is changed wherever it is open", function* () {
    const clinic = yield* makeClinic
    const { productId } = clinic
    const caseId = yield* newCase(clinic, [productId, productId])
    yield* accepted(clinic, caseId, { productId, dueDate: day(3) })
    const due = yield* products(caseId)
    assert.deepStrictEqual(
      due.map(({ dueDate }: { dueDate: string }) => dueDate),
      [day(3), day(3)]
    )
    yield* accepted(clinic, caseId, { productId, status: "CLOSE", reason: "both" })
    const closed = yield* products(caseId)
    assert.deepStrictEqual(
      closed.map((product: { status: string; closeReason: string }) => [product.status, product.closeReason]),
      [
        ["CLOSED", "both"],
        ["CLOSED", "both"]
      ]
    )
    assert.lengthOf(yield* activityOf(caseId), 3)
  })

  it("an unknown case is 400, and so is the product of another case; nothing changes", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const { productId } = clinic
    const caseId = yield* newCase(clinic)
    const input = { productId, status: "CLOSE" }
    for (const id of [unknownId, "no-uuid", "%20"]) {
      yield* refused(clinic, id, input, "No Case found for provided details!")
    }
    // Products of another case and of another organization.
    yield* refused(other, yield* newCase(other), input, "caseProductInput.productId, The case has no such product")
    assert.deepInclude((yield* products(caseId))[0], { status: "OPEN" })
    assert.lengthOf(yield* activityOf(caseId), 1)
  })

  it("nothing changes without its record", function* () {
    const clinic = yield* makeClinic
    const { productId } = clinic
    const caseId = yield* newCase(clinic)
    const before = yield* products(caseId)
    for (const change of [{ status: "CLOSE" }, { dueDate: day(1) }]) {
      const attempt = update(clinic, caseId, { productId, ...change })
      const broken = yield* whileInsertsFail("cases", "case_activity", "NEW.type LIKE 'PRODUCT%'", attempt)
      assert.strictEqual(broken.status, 500)
      assert.deepStrictEqual(yield* products(caseId), before)
    }
    yield* accepted(clinic, caseId, { productId, status: "CLOSE" })
  })

  it("works for a closed case, too", function* () {
    const clinic = yield* makeClinic
    const { productId } = clinic
    const caseId = yield* newCase(clinic)
    const close = { action: "CHANGE_CASE_STATUS", status: "CLOSE" }
    yield* call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body: close })
    yield* accepted(clinic, caseId, { productId, dueDate: day(1) })
    yield* accepted(clinic, caseId, { productId, status: "CLOSE" })
    assert.deepInclude((yield* products(caseId))[0], { status: "CLOSED", dueDate: day(1) })
  })

  it("of many parallel closings of a product one succeeds, and under one idempotency key all get the same answer", function* () {
    const clinic = yield* makeClinic
    const { productId } = clinic
    const input = { productId, status: "CLOSE", reason: "done" }
    const [caseId, keyed] = [yield* newCase(clinic), yield* newCase(clinic)]
    const atOnce = (id: string, headers: Readonly<Record<string, string>>) =>
      Effect.all(
        Array.from({ length: 20 }, () => update(clinic, id, input, headers)),
        { concurrency: "unbounded" }
      )
    const answers = yield* atOnce(caseId, {})
    const refusals = answers.filter(({ status }) => status !== 200)
    assert.lengthOf(refusals, 19)
    for (const { json } of refusals) assert.deepStrictEqual(json, invalid("Case product is already closed"))
    const header = { "idempotency-key": `product of ${keyed}` }
    for (const { json } of yield* atOnce(keyed, header)) assert.deepStrictEqual(json, updated)
    for (const id of [caseId, keyed]) assert.lengthOf(yield* activityOf(id), 2)
    const conflict = yield* update(clinic, keyed, { productId, dueDate: day(1) }, header)
    assert.deepStrictEqual([conflict.status, conflict.json.code], [409, "IDEMPOTENCY_ERROR"])
  })

  it("the reason is not readable in the database", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* newCase(clinic)
    yield* accepted(clinic, caseId, { productId: clinic.productId, status: "CLOSE", reason: "kanarienvogel" })
    assert.include(JSON.stringify(yield* products(caseId)), "kanarienvogel")
    const rows = yield* inDatabase("cases", (sql) => sql`SELECT * FROM cases.case_products WHERE case_id = ${caseId}`)
    assert.include(JSON.stringify(rows), clinic.productId)
    assert.notInclude(JSON.stringify(rows), "kanarienvogel")
  })
})
