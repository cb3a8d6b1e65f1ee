import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, admin, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, dynamicBody, makeClinic, weightQuestion } from "./harness/fixtures.ts"
import { newPayment } from "./harness/references.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const unknownId = "00000000-0000-4000-8000-000000000000"
const bundleFields = {
  name: "Weight management",
  description: "Three months",
  imageUrl: "https://images.example.com/a.png",
  price: "299.50",
  priceUnit: "USD",
  initialDiscount: "50.00",
  isSoldOut: false,
  isVisible: true
}
const formFields = {
  title: "Weight intake",
  description: "About you",
  questions: [{ question: "Your weight?", type: "TEXT", required: true, phi: true, hint: "In pounds" }]
}

const idsOf = ({ json }: Answer): ReadonlyArray<string> => json.data.map(({ id }: { readonly id: string }) => id)

testsOn(Suite.shared, "the catalogue for operators", (it) => {
  const pathOf = ({ organizationId }: Clinic, path: string) => `/organizations/${organizationId}/${path}`
  const add = (clinic: Clinic, kind: string, body: object) => admin("POST", pathOf(clinic, kind), body)
  const change = (clinic: Clinic, kind: string, id: string, body: object) =>
    admin("PATCH", pathOf(clinic, `${kind}/${id}`), body)
  const bodies = { products: { name: "Another program" }, forms: formFields, bundles: bundleFields }

  for (const [kind, body] of Object.entries(bodies)) {
    it(`${kind} are listed in pages, oldest first, archived ones by a filter, of their organization alone`, function* () {
      const clinic = yield* makeClinic
      const other = yield* makeClinic
      const before = idsOf(yield* admin("GET", pathOf(clinic, kind)))
      const made = yield* Effect.forEach([1, 2, 3], () => add(clinic, kind, body))
      const ids = made.map(({ json }): string => json.id)
      const read = (query = "") => admin("GET", pathOf(clinic, `${kind}${query}`))
      assert.deepStrictEqual(idsOf(yield* read()), [...before, ...ids])
      const walked: Array<string> = []
      let cursor: string | null = ""
      while (cursor !== null) {
        const page: Answer = yield* read(`?limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`)
        assert.lengthOf(page.json.data, 1)
        walked.push(...idsOf(page))
        cursor = page.json.nextCursor
      }
      assert.deepStrictEqual(walked, [...before, ...ids])
      const [, archived = ""] = ids
      const changed = yield* change(clinic, kind, archived, { isArchived: true })
      assert.deepStrictEqual([changed.status, changed.json.id, changed.json.isArchived], [200, archived, true])
      assert.deepStrictEqual(
        idsOf(yield* read()),
        [...before, ...ids].filter((id) => id !== archived)
      )
      assert.deepStrictEqual(idsOf(yield* read("?isArchived=true")), [archived])
      assert.notIncludeMembers([...idsOf(yield* admin("GET", pathOf(other, kind)))], ids)
      yield* change(clinic, kind, archived, { isArchived: false })
      assert.deepStrictEqual(idsOf(yield* read()), [...before, ...ids])
    })

    it(`${kind}: 400 for what is malformed, 404 for an unknown organization, and for an entry that is unknown or another's`, function* () {
      const clinic = yield* makeClinic
      const other = yield* makeClinic
      const foreign: string = (yield* add(other, kind, body)).json.id
      for (const query of ["?isArchived=maybe", "?limit=0", "?cursor=x"]) {
        assert.strictEqual((yield* admin("GET", pathOf(clinic, `${kind}${query}`))).status, 400, query)
      }
      const unknown = yield* admin("GET", `/organizations/${unknownId}/${kind}`)
      assert.deepStrictEqual([unknown.status, unknown.json.detail], [404, `No organization has the id ${unknownId}.`])
      for (const id of [foreign, unknownId]) {
        const detail = `The organization has no ${kind.slice(0, -1)} ${id}.`
        const refused = yield* change(clinic, kind, id, { isArchived: true })
        assert.deepStrictEqual([refused.status, refused.json.detail], [404, detail])
        if (kind === "products") continue
        const read = yield* admin("GET", pathOf(clinic, `${kind}/${id}`))
        assert.deepStrictEqual([read.status, read.json.detail], [404, detail])
      }
      const [name] = Object.keys(body)
      const blank = yield* change(other, kind, foreign, { [name ?? ""]: " " })
      assert.deepStrictEqual([blank.status, blank.json.detail], [400, `${name}, must not be empty`])
      assert.isFalse((yield* change(other, kind, foreign, {})).json.isArchived)
    })
  }

  it("a product's fields are changed one by one, and null removes them; new cases have the new name, and cases that exist keep their title", function* () {
    const clinic = yield* makeClinic
    const added = yield* add(clinic, "products", {
      name: "Old",
      description: "About it",
      price: "1.5",
      currency: "usd"
    })
    const { id } = added.json
    assert.deepInclude(added.json, { price: "1.50", currency: "USD", isArchived: false })
    const product = [{ id, visitType: "SYNC_VIDEO" }]
    const titleOf = (caseId: string) => Effect.map(admin("GET", `/cases/${caseId}`), ({ json }): string => json.title)
    const create = Effect.suspend(() =>
      Effect.map(createCase(clinic, caseBody(clinic, { products: product })), ({ json }): string => json.data.caseId)
    )
    const before = yield* create
    const renamed = yield* change(clinic, "products", id, { name: "New" })
    assert.deepStrictEqual(renamed.json, { ...added.json, name: "New" })
    const changed = yield* change(clinic, "products", id, { description: null, price: "20", currency: "EUR" })
    assert.deepStrictEqual(changed.json, { ...renamed.json, description: null, price: "20.00", currency: "EUR" })
    const free = yield* change(clinic, "products", id, { price: null, currency: null })
    assert.deepInclude(free.json, { price: null, currency: null })
    const [, listed] = (yield* admin("GET", pathOf(clinic, "products"))).json.data
    assert.deepStrictEqual(listed, free.json)
    assert.deepStrictEqual([yield* titleOf(before), yield* titleOf(yield* create)], ["Old", "New"])
  })

  it("422: no new case has an archived product, as if it were unknown; the cases that have it go on", function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    yield* change(clinic, "products", clinic.productId, { isArchived: true })
    const body = caseBody(clinic)
    const refused = yield* createCase(clinic, body)
    const unknown = yield* createCase(clinic, { ...body, products: [{ id: unknownId }] })
    assert.deepStrictEqual(refused.json, {
      success: false,
      message: "Validation failed",
      error: "products.0.id, no such product"
    })
    assert.deepStrictEqual([refused.status, refused.json], [unknown.status, unknown.json])
    const inCase = (yield* admin("GET", `/cases/${caseId}`)).json.products
    assert.deepInclude(inCase[0], { productId: clinic.productId, name: "Semaglutide program" })
    yield* change(clinic, "products", clinic.productId, { isArchived: false })
    assert.strictEqual((yield* createCase(clinic, body)).status, 200)
  })

  it("a form is read with its questions, which a change keeps; 409 for a title of dynamic cases", function* () {
    const clinic = yield* makeClinic
    const form = (yield* add(clinic, "forms", formFields)).json
    const path = pathOf(clinic, `forms/${form.id}`)
    assert.deepStrictEqual((yield* admin("GET", path)).json, form)
    const changed = yield* change(clinic, "forms", form.id, { title: "Intake", description: null, questions: [] })
    assert.deepStrictEqual(changed.json, { ...form, title: "Intake", description: null })
    const { questions: _, ...summary } = changed.json
    assert.deepStrictEqual((yield* admin("GET", pathOf(clinic, "forms"))).json.data, [summary])
    for (const formTitle of ["First", "Second"]) {
      const made = yield* call("POST", "/api/v1/dynamic-case", { key: clinic.key, body: dynamicBody({ formTitle }) })
      assert.strictEqual(made.status, 200)
    }
    const [, first] = (yield* admin("GET", pathOf(clinic, "forms"))).json.data
    const taken = yield* change(clinic, "forms", first.id, { title: "Second" })
    assert.deepStrictEqual([taken.status, taken.json.detail], [409, "Dynamic cases have another form with this title."])
    assert.strictEqual((yield* admin("GET", pathOf(clinic, `forms/${first.id}`))).json.title, "First")
  })

  it("an archived form is given to no bundle and named by no dynamic case, as if it were unknown; bundles that have it keep it", function* () {
    const clinic = yield* makeClinic
    const form = (yield* add(clinic, "forms", formFields)).json
    const bundle = (yield* add(clinic, "bundles", { ...bundleFields, intakeFormId: form.id })).json
    yield* change(clinic, "forms", form.id, { isArchived: true })
    const detail = `The organization has no form ${form.id}, or has archived it.`
    for (const refused of [
      yield* add(clinic, "bundles", { ...bundleFields, followupFormId: form.id }),
      yield* change(clinic, "bundles", bundle.id, { followupFormId: form.id })
    ]) {
      assert.deepStrictEqual([refused.status, refused.json.detail], [422, detail])
    }
    const dynamic = Effect.fnUntraced(function* (formId: string) {
      const questions = [{ questionId: form.questions[0].id, answer: weightQuestion.answer }]
      const body = dynamicBody({ formTitle: undefined, formId, questions })
      const { json, status } = yield* call("POST", "/api/v1/dynamic-case", { key: clinic.key, body })
      return [status, json.error]
    })
    assert.deepStrictEqual(yield* dynamic(form.id), yield* dynamic(unknownId))
    const shown = yield* call("GET", `/api/v1/organization/bundles/${bundle.id}?includeIntakeForm=true`, {
      key: clinic.key
    })
    assert.deepInclude(shown.json.data.intakeForm, { id: form.id, isActive: false })
    yield* change(clinic, "forms", form.id, { isArchived: false })
    assert.strictEqual((yield* dynamic(form.id))[0], 200)
  })

  it("a bundle's fields, forms and products are changed one by one, and its partner's list has no archived one", function* () {
    const clinic = yield* makeClinic
    const form = (yield* add(clinic, "forms", formFields)).json
    const second: string = (yield* add(clinic, "products", { name: "Second" })).json.id
    const productIds = [clinic.productId, second].sort()
    const bundle = (yield* add(clinic, "bundles", { ...bundleFields, productIds, intakeFormId: form.id })).json
    assert.deepInclude(bundle, { productIds, price: "299.50", isArchived: false })
    const path = pathOf(clinic, `bundles/${bundle.id}`)
    assert.deepStrictEqual((yield* admin("GET", path)).json, bundle)
    const changes = { name: "New", price: "10.00", isSoldOut: true, productIds: [second, second], intakeFormId: null }
    const changed = yield* change(clinic, "bundles", bundle.id, changes)
    assert.deepStrictEqual(changed.json, { ...bundle, ...changes, productIds: [second] })
    const listed = Effect.map(call("GET", "/api/v1/organization/bundles", { key: clinic.key }), ({ json }) => json.data)
    assert.deepInclude((yield* listed)[0], { id: bundle.id, name: "New", price: "10.00", isSoldOut: true })
    const foreign = yield* makeClinic
    yield* change(clinic, "products", clinic.productId, { isArchived: true })
    for (const productId of [foreign.productId, unknownId, clinic.productId]) {
      const refused = yield* change(clinic, "bundles", bundle.id, { name: "No", productIds: [productId] })
      const detail = `The organization has no product ${productId}, or has archived it.`
      assert.deepStrictEqual([refused.status, refused.json.detail], [422, detail])
    }
    assert.deepStrictEqual((yield* admin("GET", path)).json, changed.json)
    yield* change(clinic, "bundles", bundle.id, { isArchived: true })
    assert.deepStrictEqual(yield* listed, [])
  })

  it("each read is 304 for the ETag of the same answer, and 200 with another once the entry has changed", function* () {
    const clinic = yield* makeClinic
    const form = (yield* add(clinic, "forms", formFields)).json
    const bundle = (yield* add(clinic, "bundles", bundleFields)).json
    const { organizationId } = clinic
    const promo = (yield* admin("POST", "/promo-codes", { code: "TAGGED", organizationId, percentDiscount: 10 })).json
    const read = (path: string, etag: string) =>
      call("GET", `/admin/v1${path}`, { isOperator: true, headers: { "if-none-match": etag } })
    for (const [path, changed, body] of [
      [pathOf(clinic, "products"), pathOf(clinic, `products/${clinic.productId}`), { name: "Other" }],
      [pathOf(clinic, "forms"), pathOf(clinic, `forms/${form.id}`), { title: "Other" }],
      [pathOf(clinic, `forms/${form.id}`), pathOf(clinic, `forms/${form.id}`), { title: "Another" }],
      [pathOf(clinic, "bundles"), pathOf(clinic, `bundles/${bundle.id}`), { name: "Other" }],
      [pathOf(clinic, `bundles/${bundle.id}`), pathOf(clinic, `bundles/${bundle.id}`), { name: "Another" }],
      [`/promo-codes?organizationId=${organizationId}`, `/promo-codes/${promo.id}`, { isActive: false }]
    ] as const) {
      const etag = (yield* read(path, '"none"')).headers.get("etag") ?? assert.fail(`${path} has no etag`)
      const unchanged = yield* read(path, `"none", ${etag}`)
      assert.deepStrictEqual(
        [unchanged.status, unchanged.json, unchanged.headers.get("etag")],
        [304, undefined, etag],
        path
      )
      assert.strictEqual((yield* admin("PATCH", changed, body)).status, 200)
      const after = yield* read(path, etag)
      assert.strictEqual(after.status, 200, path)
      assert.notStrictEqual(after.headers.get("etag"), etag)
    }
    const refused = yield* call("GET", `/admin/v1${pathOf(clinic, "products")}`, { headers: { "if-none-match": "*" } })
    assert.deepStrictEqual([refused.status, refused.headers.get("etag")], [401, null])
  })

  it("a promo code for an archived bundle lowers no price of a new case", function* () {
    const clinic = yield* makeClinic
    yield* change(clinic, "products", clinic.productId, { price: "100.00", currency: "USD" })
    const bundle = (yield* add(clinic, "bundles", { ...bundleFields, productIds: [clinic.productId] })).json
    const promoCode = `CODE-${randomUUID()}`
    yield* admin("POST", "/promo-codes", {
      code: promoCode,
      organizationId: clinic.organizationId,
      percentDiscount: 10,
      bundleIds: [bundle.id]
    })
    const create = Effect.gen(function* () {
      const payment = { ...(yield* newPayment), amount: 100, promoCode }
      return yield* createCase(clinic, caseBody(clinic, { payment, idempotencyKey: randomUUID() }))
    })
    const before = yield* create
    assert.strictEqual(before.status, 200)
    yield* change(clinic, "bundles", bundle.id, { isArchived: true })
    const after = yield* create
    assert.strictEqual(after.status, 400)
    const { json } = yield* until(
      admin("GET", `/payments?caseId=${before.json.data.caseId}`),
      (payments) => payments.json.data.length > 0
    )
    assert.strictEqual(Number(json.data[0].amount), 90)
  })

  it("two changes of different fields at the same moment both stay", function* () {
    const clinic = yield* makeClinic
    const bundle = (yield* add(clinic, "bundles", bundleFields)).json
    const changes = [{ name: "New" }, { price: "1.00" }, { isSoldOut: true }, { productIds: [clinic.productId] }]
    yield* Effect.forEach(changes, (body) => change(clinic, "bundles", bundle.id, body), { concurrency: "unbounded" })
    const { json } = yield* admin("GET", pathOf(clinic, `bundles/${bundle.id}`))
    assert.deepInclude(json, Object.assign({}, ...changes))
    const rows = yield* inDatabase(
      "cases",
      (sql) => sql`SELECT product_id FROM cases.bundle_products WHERE bundle_id = ${bundle.id}`
    )
    assert.lengthOf(rows, 1)
  })
})
