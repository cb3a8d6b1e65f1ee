import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const newCode = () => `CODE-${randomUUID()}`

testsOn(Suite.shared, "promo codes", (it) => {
  const create = (body: object) => admin("POST", "/promo-codes", body)
  const change = (id: string, body: object) => admin("PATCH", `/promo-codes/${id}`, body)
  const check = (key: string, query: Readonly<Record<string, string>>) =>
    call("GET", `/api/v1/promo-codes?${new URLSearchParams(query)}`, { key })
  const checkResult = (key: string, code: string) =>
    Effect.map(check(key, { code }), ({ json, status }) => [status, json])

  it("check 200: the discount of a code as a number, by its code or name, in any letter case", function* () {
    const { key, organizationId } = yield* makeClinic
    const [flat, percent, name] = [newCode(), newCode(), newCode()]
    yield* create({ code: flat, organizationId, flatDiscount: 25.5 })
    yield* create({ code: percent, name: ` ${name} `, percentDiscount: 12.25 })
    const accepted = (...data: ReadonlyArray<object>) => [200, { success: true, data }]
    assert.deepStrictEqual(yield* checkResult(key, flat), accepted({ flatDiscount: 25.5 }))
    for (const spelling of [percent, percent.toLowerCase(), ` ${name}`, name.toLowerCase()]) {
      assert.deepStrictEqual(yield* checkResult(key, spelling), accepted({ percentDiscount: 12.25 }), spelling)
    }
    yield* create({ code: name, organizationId, flatDiscount: 0.0001 })
    assert.deepStrictEqual(yield* checkResult(key, name), accepted({ flatDiscount: 0.0001 }))
  })

  it("check 200: an empty list for a code that is inactive, expired, or not for the given bundle", function* () {
    const { key, organizationId } = yield* makeClinic
    const bundleId = randomUUID()
    const code = newCode()
    const promo = (yield* create({ code, organizationId, percentDiscount: 100, bundleIds: [bundleId] })).json
    const isFound = (query: object = { product_bundle_id: bundleId.toUpperCase() }) =>
      Effect.map(check(key, { code, ...query }), ({ json, status }) => {
        assert.deepStrictEqual([status, json.success], [200, true])
        return json.data.length === 1
      })
    assert.isTrue(yield* isFound())
    assert.isFalse(yield* isFound({}))
    assert.isFalse(yield* isFound({ product_bundle_id: randomUUID() }))
    for (const [off, on] of [
      [{ isActive: false }, { isActive: true }],
      [{ expiresAt: "2026-01-01T00:00:00Z" }, { expiresAt: null }],
      [{ expiresAt: "2026-01-01T00:00:00Z" }, { expiresAt: "2999-01-01T00:00:00+02:00" }]
    ] as const) {
      assert.strictEqual((yield* change(promo.id, off)).status, 200)
      assert.isFalse(yield* isFound(), JSON.stringify(off))
      yield* change(promo.id, on)
      assert.isTrue(yield* isFound(), JSON.stringify(on))
    }
  })

  it("check 404: no such code, or another organization's", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const code = newCode()
    yield* create({ code, organizationId: clinic.organizationId, percentDiscount: 10 })
    assert.strictEqual((yield* check(clinic.key, { code })).status, 200)
    const unknown = [404, { success: false, message: "Promo code not found!" }]
    assert.deepStrictEqual(yield* checkResult(other.key, code), unknown)
    assert.deepStrictEqual(yield* checkResult(clinic.key, newCode()), unknown)
    assert.deepStrictEqual(yield* checkResult(clinic.key, "'; DROP TABLE promo_codes; --"), unknown)
  })

  it("check 400: no code, or an invalid bundle id", function* () {
    const { key } = yield* makeClinic
    const refused = (message: string) => [400, { success: false, message }]
    const required = refused("Promo code is required")
    for (const [query, expected] of [
      [{}, required],
      [{ code: "" }, required],
      [{ code: "  " }, required],
      [{ product_bundle_id: "7" }, required],
      [{ code: "A", product_bundle_id: "7" }, refused("Invalid product bundle ID format")],
      [{ code: "A", product_bundle_id: "" }, refused("Invalid product bundle ID format")],
      [{ code: "A".repeat(256) }, refused("Promo code: must be at most 255 characters long")]
    ] as const) {
      const { json, status } = yield* check(key, query)
      assert.deepStrictEqual([status, json], expected, JSON.stringify(query))
    }
    const { json, status } = yield* call("GET", "/api/v1/promo-codes?code=A&code=B", { key })
    assert.deepStrictEqual([status, json], refused("Promo code: must be a text"))
  })

  it("create 201: with all fields, and with the required ones only", function* () {
    const { organizationId } = yield* makeClinic
    const [code, name, bundleId] = [newCode(), newCode(), randomUUID()]
    const full = {
      code,
      name,
      organizationId,
      flatDiscount: 19.99,
      isActive: false,
      expiresAt: "2030-01-01T00:00:00.000Z",
      bundleIds: [bundleId],
      maxRedemptions: 3
    }
    const { json, status } = yield* create(full)
    assert.strictEqual(status, 201)
    const { createdAt, id, ...fields } = json
    assert.deepStrictEqual(fields, { ...full, percentDiscount: null, redemptions: 0 })
    assert.match(createdAt, /Z$/)
    const little = (yield* create({ code: ` ${newCode()} `, percentDiscount: 0 })).json
    assert.deepInclude(little, { organizationId: null, name: null, isActive: true, expiresAt: null, bundleIds: [] })
    assert.deepInclude(little, {
      code: little.code.trim(),
      flatDiscount: null,
      percentDiscount: 0,
      maxRedemptions: null
    })
    assert.deepStrictEqual((yield* admin("GET", `/promo-codes?organizationId=${organizationId}`)).json.data, [json])
    assert.isString(id)
  })

  it("create 400: missing fields, both discounts or neither, and invalid amounts", function* () {
    const oneDiscount = "flatDiscount, exactly one of flatDiscount and percentDiscount is required"
    const range = "must be more than 0 and below 1,000,000,000"
    const tooManyDecimals = "must have at most 4 decimals"
    for (const [body, detail] of [
      [{ percentDiscount: 10 }, "code, Required"],
      [{ code: "  ", percentDiscount: 10 }, "code, must not be empty"],
      [{ code: 7, percentDiscount: 10 }, /^code, /],
      [{ code: "A" }, oneDiscount],
      [{ code: "A", flatDiscount: 1, percentDiscount: 1 }, oneDiscount],
      [{ code: "A", flatDiscount: 0 }, `flatDiscount, ${range}`],
      [{ code: "A", flatDiscount: -1 }, `flatDiscount, ${range}`],
      [{ code: "A", flatDiscount: 1e21 }, `flatDiscount, ${range}`],
      [{ code: "A", flatDiscount: 0.1 + 0.2 }, `flatDiscount, ${tooManyDecimals}`],
      [{ code: "A", flatDiscount: "10" }, /^flatDiscount, /],
      [{ code: "A", percentDiscount: 100.01 }, "percentDiscount, must be between 0 and 100"],
      [{ code: "A", percentDiscount: -0.5 }, "percentDiscount, must be between 0 and 100"],
      [{ code: "A", percentDiscount: 33.33333 }, `percentDiscount, ${tooManyDecimals}`],
      [{ code: "A", percentDiscount: 1, maxRedemptions: 0 }, /^maxRedemptions, /],
      [{ code: "A", percentDiscount: 1, maxRedemptions: 1.5 }, /^maxRedemptions, /],
      [{ code: "A", percentDiscount: 1, bundleIds: ["7"] }, "bundleIds.0, must be a valid UUID"],
      [{ code: "A", percentDiscount: 1, expiresAt: "tomorrow" }, /^expiresAt, must be a date and time/],
      [{ code: "A", percentDiscount: 1, organizationId: "7" }, "organizationId, must be a valid UUID"],
      [{ code: "A", percentDiscount: 1, isActive: "yes" }, /^isActive, /]
    ] as const) {
      const { json, status } = yield* create(body)
      assert.deepInclude({ ...json, status }, { status: 400, title: "Invalid request" }, JSON.stringify(body))
      if (typeof detail === "string") assert.strictEqual(json.detail, detail)
      else assert.match(json.detail, detail)
    }
    const { status } = yield* call("POST", "/admin/v1/promo-codes", { body: { code: "A", percentDiscount: 1 } })
    assert.strictEqual(status, 401)
  })

  it("create 404: for an unknown organization", function* () {
    const organizationId = randomUUID()
    const { json, status } = yield* create({ code: newCode(), organizationId, percentDiscount: 10 })
    assert.deepStrictEqual([status, json.title], [404, "Organization not found"])
  })

  it("create 409: a code or a name means one promo code of an organization, and one of the global ones", function* () {
    const [ownClinic, other] = [yield* makeClinic, yield* makeClinic]
    for (const organizationId of [ownClinic.organizationId, undefined]) {
      const [code, name, free] = [newCode(), newCode(), newCode()]
      const discount = { organizationId, percentDiscount: 10 }
      yield* create({ ...discount, code, name })
      for (const body of [
        { code: ` ${code.toLowerCase()}` },
        { code: name },
        { code: free, name: code },
        { code: free, name: name.toLowerCase() }
      ]) {
        const { json, status } = yield* create({ ...discount, ...body })
        assert.deepStrictEqual([status, json.title], [409, "Promo code taken"], JSON.stringify(body))
      }
      // The refused requests have stored nothing.
      assert.strictEqual((yield* create({ ...discount, code: free, name: ` ${free.toLowerCase()}` })).status, 201)
      assert.strictEqual((yield* create({ ...discount, organizationId: other.organizationId, code, name })).status, 201)
    }
    const code = newCode()
    const parallel = yield* Effect.all(
      Array.from({ length: 20 }, (_, index) =>
        create({
          percentDiscount: 10,
          ...(index % 2 === 0 ? { code, name: `${code} 2` } : { code: `${code} 2`, name: code })
        })
      ),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(
      parallel.map(({ status }) => status).toSorted((first, second) => first - second),
      [201, ...Array.from({ length: 19 }, () => 409)]
    )
  })

  it("list 200: newest first, page by page, of an organization, and by code or name", function* () {
    const [ownClinic, other] = [yield* makeClinic, yield* makeClinic]
    const name = newCode()
    const codes: Array<string> = []
    for (const clinic of [ownClinic, ownClinic, ownClinic, other]) {
      const { organizationId } = clinic
      const promo = { code: newCode(), organizationId, percentDiscount: 10, ...(codes.length > 1 && { name }) }
      codes.push((yield* create(promo)).json.id)
    }
    const [first, second, third, foreign] = codes
    const list = (query: string) =>
      Effect.map(admin("GET", `/promo-codes?${query}`), ({ json, status }) => {
        assert.strictEqual(status, 200)
        return { ids: json.data.map(({ id }: { readonly id: string }) => id), next: json.nextCursor }
      })
    const page = yield* list(`organizationId=${ownClinic.organizationId}&limit=2`)
    assert.deepStrictEqual(page.ids, [third, second])
    const next = yield* list(`organizationId=${ownClinic.organizationId}&limit=2&cursor=${page.next}`)
    assert.deepStrictEqual(next, { ids: [first], next: null })
    assert.deepStrictEqual((yield* list("limit=4")).ids, codes.toReversed())
    const named = yield* list(`code=${name.toLowerCase()}&limit=1`)
    assert.deepStrictEqual(named.ids, [foreign])
    assert.deepStrictEqual((yield* list(`code=${name}&limit=1&cursor=${named.next}`)).ids, [third])
    assert.deepStrictEqual((yield* list(`code=${name}&organizationId=${ownClinic.organizationId}`)).ids, [third])
    assert.deepStrictEqual((yield* list(`code=${newCode()}`)).ids, [])
    assert.strictEqual((yield* admin("GET", "/promo-codes?organizationId=7")).status, 400)
  })

  it("change 200: changes the given fields only; null removes a limit", function* () {
    const { organizationId } = yield* makeClinic
    const fields = { code: newCode(), organizationId, percentDiscount: 10 }
    const expiresAt = "2030-01-01T00:00:00.000Z"
    const created = (yield* create({ ...fields, expiresAt, maxRedemptions: 5 })).json
    for (const [body, changed] of [
      [{}, {}],
      [{ isActive: false }, { isActive: false }],
      [{ isActive: null }, { isActive: false }],
      [{ maxRedemptions: null }, { isActive: false, maxRedemptions: null }],
      [
        { maxRedemptions: 1, expiresAt: null },
        { isActive: false, maxRedemptions: 1, expiresAt: null }
      ]
    ] as const) {
      yield* expectAnswer(change(created.id, body), 200, { ...created, ...changed })
    }
  })

  it("change 400 and 404: invalid fields, and an unknown promo code", function* () {
    const { id } = (yield* create({ code: newCode(), percentDiscount: 10 })).json
    for (const body of [{ isActive: "no" }, { expiresAt: 1 }, { maxRedemptions: 0 }]) {
      assert.strictEqual((yield* change(id, body)).status, 400, JSON.stringify(body))
    }
    assert.strictEqual((yield* change("7", { isActive: false })).status, 400)
    const { json, status } = yield* change(randomUUID(), { isActive: false })
    assert.deepStrictEqual([status, json.title], [404, "Promo code not found"])
  })
})
