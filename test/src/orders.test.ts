import { assert } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase, jobsDone, untilLockWaits } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { confirmedSetup } from "./harness/paymentSetup.ts"
import { closeCase, orderBody, placeOrder } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"
import { changeUser } from "./harness/users.ts"

const unknownId = "3b241101-e2bb-4255-8caf-4136c566a962"
const invalid = (status: number, error: string) => ({ status, success: false, message: "Invalid request", error })

const { shippingAddress, prescriber, prescriptionItems } = orderBody()
const [item] = prescriptionItems

testsOn(Suite.shared, "PLACE_ORDER", (it) => {
  const clinicWithCase = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const created = yield* createCase(clinic, caseBody(clinic))
    return { clinic, caseId: String(created.json.data.caseId) }
  })
  const ordersOf = ({ key }: Clinic, caseId: string) =>
    Effect.map(
      call("GET", `/api/v1/customer-case-detail?caseId=${caseId}&includeOrders=true`, { key }),
      ({ json }) => json.caseDetail.orders
    )
  const activityOf = (caseId: string) =>
    Effect.map(admin("GET", `/cases/${caseId}/activity`), ({ json }) =>
      json.data.map(({ details, type }: { type: string; details: Record<string, string> }) => [type, details])
    )
  it("200: the order is accepted at once, recorded, handed over, and shown with everything that is known", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const placed = yield* placeOrder(clinic, caseId)
    const id: string = placed.json.data.order.id
    assert.deepStrictEqual(
      [placed.status, placed.json],
      [200, { status: 200, success: true, message: "Order placed successfully", data: { order: { id } } }]
    )
    yield* jobsDone("cases", "order-hand-over")
    const [order] = yield* ordersOf(clinic, caseId)
    assert.deepStrictEqual(order, {
      id,
      externalId: id,
      pharmacyOrderId: order.pharmacyOrderId,
      trackingId: null,
      status: "SUBMITTED",
      message: null,
      pharmacyName: "Sandbox Pharmacy",
      createdAt: order.createdAt,
      items: [{ name: "Semaglutide 0.25", quantity: "4" }],
      replacementReason: null,
      shippingLogs: [],
      estDeliveryAt: null,
      trackingUrl: null,
      carrierName: null
    })
    assert.deepStrictEqual((yield* activityOf(caseId)).slice(1), [
      ["ORDER_PLACED", { orderId: id }],
      ["ORDER_CHANGED", { orderId: id, status: "SUBMITTED" }]
    ])
  })

  const wrong: ReadonlyArray<readonly [string, unknown, string]> = [
    ["no order", null, "order, must be an object"],
    ["order", "x", "order, must be an object"],
    ["no prescriber", orderBody({ prescriber: undefined }), "order.prescriber, Required"],
    ["no diagnosis", orderBody({ diagnosis: undefined }), "order.diagnosis, Required"],
    ["blank diagnosis", orderBody({ diagnosis: " " }), "order.diagnosis, must not be empty"],
    ["no pharmacy", orderBody({ pharmacyId: undefined }), "order.pharmacyId, Required"],
    ["pharmacy number", orderBody({ pharmacyId: 1 }), "order.pharmacyId, must be a text"],
    ["no items", orderBody({ prescriptionItems: undefined }), "order.prescriptionItems, Required"],
    [
      "empty items",
      orderBody({ prescriptionItems: [] }),
      "order.prescriptionItems, At least one prescription item is required"
    ],
    ["items object", orderBody({ prescriptionItems: {} }), "order.prescriptionItems, must be an array"],
    ...(["addressLine1", "city", "state", "country", "postalCode"] as const).flatMap((field) => [
      [
        `no ${field}`,
        orderBody({ shippingAddress: { ...shippingAddress, [field]: undefined } }),
        `order.shippingAddress.${field}, Required`
      ] as const,
      [
        `prescriber without ${field}`,
        orderBody({ prescriber: { ...prescriber, address: { ...shippingAddress, [field]: undefined } } }),
        `order.prescriber.address.${field}, Required`
      ] as const
    ]),
    ...["+1000000000", "415-555-2671 ext 5", "12"].map(
      (phoneNumber) =>
        [
          `prescriber's phone ${phoneNumber}`,
          orderBody({ prescriber: { ...prescriber, phoneNumber } }),
          "order.prescriber.phoneNumber, must be a valid phone number"
        ] as const
    ),
    ...(["firstName", "lastName", "npi", "email", "phoneNumber", "address"] as const).map(
      (field) =>
        [
          `no ${field}`,
          orderBody({ prescriber: { ...prescriber, [field]: undefined } }),
          `order.prescriber.${field}, Required`
        ] as const
    ),
    ...(["drugId", "quantity"] as const).map(
      (field) =>
        [
          `no ${field}`,
          orderBody({ prescriptionItems: [{ ...item, [field]: undefined }] }),
          `order.prescriptionItems.0.${field}, Required`
        ] as const
    ),
    [
      "state",
      orderBody({ shippingAddress: { ...shippingAddress, state: "California" } }),
      "order.shippingAddress.state, must be the 2-letter code of a US state"
    ],
    [
      "country",
      orderBody({ shippingAddress: { ...shippingAddress, country: "USA" } }),
      "order.shippingAddress.country, must be exactly 2 letters"
    ],
    ...["9410", "94105-1234", "9410a"].map(
      (postalCode) =>
        [
          `postal code ${postalCode}`,
          orderBody({ prescriber: { ...prescriber, address: { ...shippingAddress, postalCode } } }),
          "order.prescriber.address.postalCode, must be exactly 5 digits"
        ] as const
    ),
    [
      "email",
      orderBody({ prescriber: { ...prescriber, email: "jane" } }),
      "order.prescriber.email, must be a valid email"
    ],
    [
      "phone",
      orderBody({ prescriber: { ...prescriber, phoneNumber: "12" } }),
      "order.prescriber.phoneNumber, must be a valid phone number"
    ],
    [
      "quantity number",
      orderBody({ prescriptionItems: [{ ...item, quantity: 4 }] }),
      "order.prescriptionItems.0.quantity, must be a text"
    ],
    [
      "refills",
      orderBody({ prescriptionItems: [{ ...item, refillCount: -1 }] }),
      "order.prescriptionItems.0.refillCount, must be a number from 0 to 10000"
    ],
    [
      "supply text",
      orderBody({ prescriptionItems: [{ ...item, supplyDays: "28" }] }),
      "order.prescriptionItems.0.supplyDays, must be a number"
    ],
    [
      "document that is no URL",
      orderBody({ prescriptionItems: [item, { ...item, customFields: { documentUrl: "rx.pdf" } }] }),
      "order.prescriptionItems.1.customFields.documentUrl, must be a URL"
    ],
    [
      "document that is no text",
      orderBody({ prescriptionItems: [{ ...item, customFields: { documentUrl: { href: "https://a.example.com" } } }] }),
      "order.prescriptionItems.0.customFields.documentUrl, must be a text"
    ],
    [
      "document in a private network",
      orderBody({ prescriptionItems: [{ ...item, customFields: { documentUrl: "https://10.0.0.1/rx.pdf" } }] }),
      "order.prescriptionItems.0.customFields.documentUrl, must not lead to a private address"
    ]
  ]

  it("400: each field that is missing or malformed is told by its path, and nothing is stored", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    for (const [name, order, error] of wrong) {
      const refused = yield* placeOrder(clinic, caseId, order)
      assert.deepStrictEqual(refused.json, invalid(400, error), name)
      assert.strictEqual(refused.status, 400)
    }
    const missing = yield* placeOrder(clinic, caseId, {}, { order: undefined })
    assert.deepStrictEqual(missing.json, invalid(400, "order, Required"))
    const fields = yield* placeOrder(
      clinic,
      caseId,
      orderBody({ prescriptionItems: [{ ...item, customFields: ["a"] }] })
    )
    assert.match(fields.json.error, /^order\.prescriptionItems\.0\.customFields, must be an object of at most 50/)
    assert.deepStrictEqual(yield* ordersOf(clinic, caseId), [])
  })

  it("400: an action that is no text, or none of the path's", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    for (const action of [1, null, ["PLACE_ORDER"], { action: "PLACE_ORDER" }, "place_order", undefined]) {
      yield* expectAnswer(placeOrder(clinic, caseId, orderBody(), { action }), 400, invalid(400, "Invalid action"))
    }
  })

  it("values in several spellings are accepted, and read back in one form", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const order = orderBody({
      shippingAddress: { ...shippingAddress, addressLine2: "Apt 4", state: "ca", country: "us" },
      prescriber: { ...prescriber, phoneNumber: "(415) 555-2672", email: " Jane@Example.com " }
    })
    const id: string = (yield* placeOrder(clinic, caseId, order)).json.data.order.id
    // The number only has to be possible; it need not be in use.
    const possible = orderBody({ prescriber: { ...prescriber, phoneNumber: "+10000000000" } })
    assert.strictEqual((yield* placeOrder(clinic, caseId, possible)).status, 200)
    const changed = yield* admin("PATCH", `/orders/${id}`, { carrierName: "UPS" })
    assert.deepStrictEqual(changed.json.shippingAddress, { ...shippingAddress, addressLine2: "Apt 4" })
  })

  it("400: an unknown case, a malformed id", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    for (const id of [unknownId, "case-1"]) {
      yield* expectAnswer(placeOrder(clinic, id), 400, invalid(400, "No Case found for provided details!"))
    }
    assert.deepStrictEqual(yield* ordersOf(clinic, caseId), [])
  })

  it("400: an archived case takes no order", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    yield* closeCase(clinic, caseId)
    yield* expectAnswer(placeOrder(clinic, caseId), 400, invalid(400, "Case has been closed"))
    assert.deepStrictEqual(yield* ordersOf(clinic, caseId), [])
  })

  it("400: an order for a case that is closed at the same time leaves nothing", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const locked = yield* Deferred.make<void>()
    const closing = inDatabase("cases", (sql) =>
      sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`UPDATE cases.cases SET is_archived = true, is_sole = false WHERE id = ${caseId}`
          yield* Deferred.succeed(locked, undefined)
          yield* untilLockWaits("cases", 1)
        })
      )
    )
    const placing = Effect.andThen(Deferred.await(locked), placeOrder(clinic, caseId))
    const [refused] = yield* Effect.all([placing, closing], { concurrency: "unbounded" })
    assert.deepStrictEqual([refused.status, refused.json], [400, invalid(400, "Case has been closed")])
    assert.deepStrictEqual(yield* ordersOf(clinic, caseId), [])
    assert.lengthOf(yield* activityOf(caseId), 1)
  })

  it("without an address the patient's is used, and without that the order is refused", function* () {
    const clinic = yield* makeClinic
    const newCase = (user: unknown) =>
      Effect.map(createCase(clinic, caseBody(clinic, { user })), ({ json }): string => json.data.caseId)
    const order = orderBody({ shippingAddress: undefined })
    const existing = yield* placeOrder(clinic, yield* newCase(newPatient()), order)
    const changed = yield* admin("PATCH", `/orders/${existing.json.data.order.id}`, { carrierName: "UPS" })
    assert.deepStrictEqual(changed.json.shippingAddress, {
      addressLine1: "500 Howard Street",
      addressLine2: null,
      city: "San Francisco",
      state: "CA",
      country: "US",
      postalCode: null
    })
    const homeless = { ...newPatient(), shippingAddress: { addressLine1: " ", city: "San Francisco" } }
    yield* expectAnswer(
      placeOrder(clinic, yield* newCase(homeless), order),
      400,
      invalid(400, "order.shippingAddress, Required: no address of the patient is known")
    )
  })

  const makeAddressee = Effect.map(makeClinic, (clinic) => {
    const patient = newPatient()
    return {
      clinic,
      patient,
      newCase: (addressLine1: string) => {
        const user = { ...patient, shippingAddress: { addressLine1 } }
        const created = createCase(clinic, caseBody(clinic, { user, forceCreate: true }))
        return Effect.map(created, ({ json }): string => json.data.caseId)
      },
      /** Returns the address of an order that names none. */
      streetOf: Effect.fnUntraced(function* (caseId: string) {
        const placed = yield* placeOrder(clinic, caseId, orderBody({ shippingAddress: undefined }))
        const changed = yield* admin("PATCH", `/orders/${placed.json.data.order.id}`, { carrierName: "UPS" })
        return changed.json.shippingAddress.addressLine1
      }),
      updateProfile: (change: object) => changeUser(clinic.key, "UPDATE_PROFILE", { email: patient.email, ...change }),
      completeSetup: Effect.fnUntraced(function* (line1: string) {
        const { id } = yield* confirmedSetup(clinic, patient.email)
        const linked = { line1, city: "Oakland", state: "CA", country: "US", postal_code: "94607" }
        const body = { gatewaySetupID: id, shippingAddress: linked }
        const completed = yield* call("POST", "/api/v1/complete-payment-setup", { key: clinic.key, body })
        assert.strictEqual(completed.status, 200)
      })
    }
  })

  it("without an address the latest known one is used: from a case, the profile or a payment method", function* () {
    const { completeSetup, newCase, streetOf, updateProfile } = yield* makeAddressee
    const first = yield* newCase("1 First Street")
    const second = yield* newCase("2 Second Street")
    const third = yield* newCase(" ")
    const streets = Effect.forEach([first, second, third], streetOf)
    assert.deepStrictEqual(yield* streets, ["1 First Street", "2 Second Street", "1 First Street"])

    yield* updateProfile({ city: "Oakland", address: "3 Third Street" })
    assert.deepStrictEqual(yield* streets, ["3 Third Street", "3 Third Street", "3 Third Street"])
    const fourth = yield* newCase("4 Fourth Street")
    assert.deepStrictEqual([yield* streetOf(fourth), yield* streetOf(first)], ["4 Fourth Street", "3 Third Street"])

    yield* completeSetup("5 Fifth Street")
    assert.deepStrictEqual(yield* Effect.forEach([first, fourth], streetOf), ["5 Fifth Street", "5 Fifth Street"])
    const stored = yield* inDatabase(
      "cases",
      (sql) => sql`SELECT * FROM cases.case_addresses WHERE case_id = ${second}`
    )
    assert.lengthOf(stored, 1)
    assert.notInclude(JSON.stringify(stored), "Second Street")
  })

  it("a partial address, and an unchanged profile, do not count as a newer address", function* () {
    const { newCase, patient, streetOf, updateProfile } = yield* makeAddressee
    yield* newCase("1 First Street")
    const caseId = yield* newCase("2 Second Street")
    yield* updateProfile({ state: "TX", address2: null })
    assert.strictEqual(yield* streetOf(caseId), "2 Second Street")
    yield* updateProfile({ address: "1 First Street", state: "TX", phoneNumber: patient.phoneNumber })
    assert.strictEqual(yield* streetOf(caseId), "2 Second Street")
    yield* updateProfile({ address: "1 First Street", state: "TX", city: "Austin" })
    assert.strictEqual(yield* streetOf(caseId), "1 First Street")
  })

  it("an address that completes the patient's record counts from then on", function* () {
    const { completeSetup, newCase, patient, streetOf } = yield* makeAddressee
    const first = yield* newCase(" ")
    yield* completeSetup("2 Second Street")
    assert.strictEqual(yield* streetOf(first), "2 Second Street")
    yield* newCase("3 Third Street")
    const { email } = patient
    const record = inDatabase(
      "auth",
      (sql) => sql`SELECT FROM auth.users WHERE email = ${email} AND address IS NOT NULL`
    )
    yield* until(record, ({ length }) => length === 1)
    assert.strictEqual(yield* streetOf(first), "3 Third Street")
  })

  it("one idempotency key, one order: in the body, in the header, and 20 times at once", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const idOf = ({ json }: { json: { data: { order: { id: string } } } }) => json.data.order.id
    const byBody = placeOrder(clinic, caseId, orderBody(), { idempotencyKey: "body" }, { "idempotency-key": "no" })
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => byBody),
      { concurrency: "unbounded" }
    )
    assert.strictEqual(new Set(answers.map(idOf)).size, 1)
    const byHeader = placeOrder(clinic, caseId, orderBody(), {}, { "idempotency-key": "header" })
    assert.strictEqual(idOf(yield* byHeader), idOf(yield* byHeader))
    assert.lengthOf(yield* ordersOf(clinic, caseId), 2)
    const other = yield* placeOrder(clinic, caseId, orderBody({ diagnosis: "other" }), { idempotencyKey: "body" })
    assert.deepInclude([other.status, other.json.code], 409)
    assert.strictEqual(other.json.code, "IDEMPOTENCY_ERROR")
    // The repeated request gets the stored response, also if the case takes no further order.
    yield* closeCase(clinic, caseId)
    assert.deepStrictEqual(yield* Effect.map(byBody, idOf), answers.map(idOf)[0])
  })
})
