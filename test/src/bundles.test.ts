import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const invalid = (error: string) => ({ status: 400, success: false, message: "Invalid request parameters", error })
const path = "/api/v1/organization/bundles"

testsOn(Suite.shared, "bundles", (it) => {
  const list = (key: string, query = "") => call("GET", `${path}${query}`, { key })
  const get = (key: string, id: string, query = "") => call("GET", `${path}/${id}${query}`, { key })

  const form = {
    title: "Weight intake",
    description: "About you",
    questions: [
      { question: "Your weight?", type: "TEXT", required: true, phi: true, hint: "In pounds", placeholder: "185" },
      { question: "Conditions?", type: "MULTISELECT", required: false, options: ["A", "B"] }
    ]
  }

  const clinicWithBundles = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const organization = `/organizations/${clinic.organizationId}`
    const intakeForm = (yield* admin("POST", `${organization}/forms`, form)).json
    const bundle = {
      name: "Weight management",
      description: "Three months",
      imageUrl: "https://images.example.com/a.png",
      price: "299.5",
      priceUnit: "USD",
      initialDiscount: "50.00",
      isSoldOut: false,
      isVisible: true,
      productIds: [clinic.productId],
      intakeFormId: intakeForm.id
    }
    const visible = (yield* admin("POST", `${organization}/bundles`, bundle)).json
    const followupForm = (yield* admin("POST", `${organization}/forms`, { ...form, title: "Check-in" })).json
    const old = { ...bundle, name: "Old", isVisible: false, followupFormId: followupForm.id }
    const hidden = (yield* admin("POST", `${organization}/bundles`, old)).json
    return { clinic, visible, hidden, intakeForm, followupForm }
  })

  it("list 200: all, the visible ones, or the others, of the key's organization only", function* () {
    const { clinic, hidden, visible } = yield* clinicWithBundles
    const other = yield* clinicWithBundles
    const all = yield* list(clinic.key)
    assert.strictEqual(all.status, 200)
    assert.deepInclude(all.json, { status: 200, success: true })
    assert.isString(all.json.message)
    assert.deepStrictEqual(all.json.data[0], {
      id: visible.id,
      name: "Weight management",
      imageUrl: "https://images.example.com/a.png",
      description: "Three months",
      price: "299.50",
      priceUnit: "USD",
      initialDiscount: "50.00",
      isSoldOut: false,
      isVisible: true
    })
    const ids = (answer: { readonly json: { readonly data: ReadonlyArray<{ readonly id: string }> } }) =>
      answer.json.data.map(({ id }) => id)
    assert.deepStrictEqual(ids(all), [visible.id, hidden.id])
    assert.deepStrictEqual(ids(yield* list(clinic.key, "?isVisible=true")), [visible.id])
    assert.deepStrictEqual(ids(yield* list(clinic.key, "?isVisible=false")), [hidden.id])
    assert.deepStrictEqual(ids(yield* list(other.clinic.key)), [other.visible.id, other.hidden.id])
  })

  it("a price is in a currency that exists, told in any letter case", function* () {
    const { organizationId } = yield* makeClinic
    const create = (priceUnit: string) =>
      admin("POST", `/organizations/${organizationId}/bundles`, {
        ...{
          name: "B",
          description: "",
          imageUrl: "",
          price: "1",
          initialDiscount: "0",
          isSoldOut: false,
          isVisible: true
        },
        priceUnit
      })
    for (const priceUnit of ["XYZ", "XXX", "US", "dollars"]) {
      const { json, status } = yield* create(priceUnit)
      assert.deepStrictEqual([status, json.detail], [400, "priceUnit, must be an ISO 4217 currency code"])
    }
    const { json, status } = yield* create("eur")
    assert.deepStrictEqual([status, json.priceUnit], [201, "EUR"])
  })

  it("a picture is a URL that a page may show, or none", function* () {
    const { organizationId } = yield* makeClinic
    const bundle = { name: "B", description: "", price: "1", priceUnit: "USD", initialDiscount: "0" }
    const create = (imageUrl: unknown) =>
      admin("POST", `/organizations/${organizationId}/bundles`, {
        ...{ ...bundle, isSoldOut: false, isVisible: true },
        imageUrl
      })
    for (const imageUrl of [
      "javascript:alert(1)",
      "data:image/png;base64,AA==",
      "a.png",
      " ",
      "https:a.example.com",
      "https://a.example.com/a b",
      "https:\\\\a.example.com"
    ]) {
      const { json, status } = yield* create(imageUrl)
      assert.deepStrictEqual([status, json.detail], [400, "imageUrl, must be an http or https URL"])
    }
    for (const imageUrl of ["https://images.example.com/a.png", "http://localhost/a.png", ""]) {
      const { json, status } = yield* create(imageUrl)
      assert.deepStrictEqual([status, json.imageUrl], [201, imageUrl])
    }
  })

  it("get 200: a bundle, with the forms that are asked for", function* () {
    const { clinic, followupForm, hidden, intakeForm, visible } = yield* clinicWithBundles
    const both = yield* get(clinic.key, hidden.id, "?includeIntakeForm=true&includeFollowupForm=true")
    assert.deepStrictEqual(
      [both.json.data.intakeForm.id, both.json.data.followupForm.id, both.json.data.followupForm.name],
      [intakeForm.id, followupForm.id, "Check-in"]
    )
    const plain = yield* get(clinic.key, visible.id.toUpperCase(), "?includeIntakeForm=false")
    assert.strictEqual(plain.status, 200)
    assert.deepStrictEqual(Object.keys(plain.json.data), ["bundle"])
    assert.strictEqual(plain.json.data.bundle.id, visible.id)
    const full = yield* get(clinic.key, visible.id, "?includeIntakeForm=true&includeFollowupForm=true")
    assert.isNull(full.json.data.followupForm)
    assert.deepStrictEqual(full.json.data.intakeForm, {
      id: intakeForm.id,
      name: "Weight intake",
      description: "About you",
      isActive: true,
      questions: [
        {
          id: intakeForm.questions[0].id,
          text: "Your weight?",
          type: "TEXT",
          hint: "In pounds",
          placeholder: "185",
          isPHI: true,
          options: [],
          required: true,
          renderMode: null,
          index: 0,
          condition: null,
          organizationDocument: null
        },
        {
          id: intakeForm.questions[1].id,
          text: "Conditions?",
          type: "MULTISELECT",
          hint: "",
          placeholder: "",
          isPHI: false,
          options: ["A", "B"],
          required: false,
          renderMode: null,
          index: 1,
          condition: null,
          organizationDocument: null
        }
      ]
    })
  })

  it("400: a parameter, an unknown bundle and one of another organization, which look alike", function* () {
    const { clinic, visible } = yield* clinicWithBundles
    const other = yield* makeClinic
    yield* expectAnswer(list(clinic.key, "?isVisible=yes"), 400, invalid("isVisible, must be one of true, false"))
    yield* expectAnswer(
      get(clinic.key, visible.id, "?includeIntakeForm=1"),
      400,
      invalid("includeIntakeForm, must be one of true, false")
    )
    yield* expectAnswer(get(clinic.key, "not-a-uuid"), 400, invalid("bundleUUID, must be a valid UUID"))
    const unknown = "00000000-0000-4000-8000-000000000000"
    for (const [key, id] of [
      [clinic.key, unknown],
      [other.key, visible.id]
    ] as const) {
      yield* expectAnswer(get(key, id), 400, invalid(`Bundle with id ${id} was not found`))
    }
  })

  it("304 without a body for the ETag of the same answer, and 200 with another once the catalogue has changed", function* () {
    const { clinic, visible } = yield* clinicWithBundles
    const { key } = clinic
    for (const to of [path, `${path}/${visible.id}?includeIntakeForm=true`]) {
      const read = (etag?: string) =>
        call("GET", to, { key, headers: etag === undefined ? {} : { "if-none-match": etag } })
      const first = yield* read()
      const etag = first.headers.get("etag") ?? assert.fail("no etag")
      for (const known of [etag, `"x", W/${etag}`]) {
        const unchanged = yield* read(known)
        assert.deepStrictEqual(
          [unchanged.status, unchanged.json, unchanged.headers.get("etag")],
          [304, undefined, etag]
        )
      }
      const price = `${to.length}.00`
      yield* admin("PATCH", `/organizations/${clinic.organizationId}/bundles/${visible.id}`, { price })
      const changed = yield* read(etag)
      assert.strictEqual(changed.status, 200)
      assert.notStrictEqual(changed.headers.get("etag"), etag)
      assert.include(JSON.stringify(changed.json), price)
    }
    const refused = yield* call("GET", path, { key: "cv_wrong", headers: { "if-none-match": "*" } })
    assert.deepStrictEqual([refused.status, refused.headers.get("etag")], [400, null])
  })
})
