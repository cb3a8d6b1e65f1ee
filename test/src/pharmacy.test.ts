import { randomUUID } from "node:crypto"
import { serveListener } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { pharmacyOrder, sendOrderUpdate, setPharmacyAnswers } from "./harness/pharmacy.ts"
import { changeStatus, closeCase, orderBody, placeOrder } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const pdf = "%PDF-1.7 a prescription"

testsOn(Suite.layer, "the pharmacy", (it) => {
  const clinicWithCase = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    const created = yield* createCase(clinic, body)
    return { clinic, caseId: String(created.json.data.caseId), user: body.user }
  })

  const placeOrderWith = (clinic: Clinic, caseId: string, changes: Readonly<Record<string, unknown>> = {}) =>
    Effect.map(placeOrder(clinic, caseId, orderBody(changes)), ({ json }): string => json.data.order.id)

  const orderOf = ({ key }: Clinic, caseId: string) =>
    Effect.map(
      call("GET", `/api/v1/customer-case-detail?caseId=${caseId}&includeOrders=true`, { key }),
      ({ json }) => json.caseDetail.orders[0]
    )
  const untilOrder = (clinic: Clinic, caseId: string, status: string) =>
    until(orderOf(clinic, caseId), (order) => order.status === status)

  const typesOf = (caseId: string) =>
    Effect.map(admin("GET", `/cases/${caseId}/activity`), ({ json }) =>
      json.data.map(
        ({ actor, details, type }: { type: string; actor: { type: string }; details: { status?: string } }) =>
          [type, details.status, actor.type].filter((text) => text !== undefined).join(" ")
      )
    )

  // Makes an order that the pharmacy has accepted.
  const submitted = Effect.gen(function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const id = yield* placeOrderWith(clinic, caseId)
    yield* untilOrder(clinic, caseId, "SUBMITTED")
    return { caseId, clinic, id }
  })

  const jobOf = ({ organizationId }: Clinic) =>
    inDatabase(
      "cases",
      (sql) => sql<{ id: string; state: string }>`
        SELECT id, state FROM cases.jobs WHERE organization_id = ${organizationId} AND queue_name = 'order-hand-over'
      `
    )

  it("gets an order with its patient and address, and its own order number is shown", function* () {
    const { caseId, clinic, user } = yield* clinicWithCase
    const id = yield* placeOrderWith(clinic, caseId)
    const order = yield* untilOrder(clinic, caseId, "SUBMITTED")
    const { received, taken } = yield* pharmacyOrder(id)
    const { shippingAddress, ...rest } = orderBody()
    const { email, firstName, lastName, phoneNumber } = user
    assert.deepStrictEqual(received, [
      {
        externalId: id,
        patient: { firstName, lastName, email, phoneNumber },
        shippingAddress: { ...shippingAddress, addressLine2: null },
        ...rest
      }
    ])
    assert.deepInclude(order, {
      pharmacyOrderId: taken.pharmacyOrderId,
      pharmacyName: "Sandbox Pharmacy",
      items: [{ name: "Semaglutide 0.25", quantity: "4" }]
    })
  })

  it("does not get the orders of a test case, which count as handed over", function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic, { isTest: true }))).json.data.caseId
    const id = yield* placeOrderWith(clinic, caseId)
    assert.strictEqual((yield* untilOrder(clinic, caseId, "SUBMITTED")).pharmacyName, "")
    assert.deepStrictEqual(yield* pharmacyOrder(id), { taken: null, received: [] })
  })

  for (const trouble of ["down", "hangUp", "loseAnswer"]) {
    it(`that is in trouble (${trouble}) gets the order again, and has it once`, function* () {
      const { caseId, clinic } = yield* clinicWithCase
      const pharmacyId = randomUUID()
      yield* setPharmacyAnswers(pharmacyId, trouble, "accept")
      const id = yield* placeOrderWith(clinic, caseId, { pharmacyId })
      const order = yield* untilOrder(clinic, caseId, "SUBMITTED")
      const { received, taken } = yield* pharmacyOrder(id)
      assert.lengthOf(received, 2)
      assert.strictEqual(order.pharmacyOrderId, taken.pharmacyOrderId)
      assert.deepStrictEqual(yield* typesOf(caseId), [
        "CASE_CREATED OPEN API_KEY",
        "ORDER_PLACED API_KEY",
        "ORDER_CHANGED SUBMITTED JOB"
      ])
    })
  }

  it("a refused order becomes an ERROR, which partner and operator see; after a retry of the job it continues", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const pharmacyId = randomUUID()
    yield* setPharmacyAnswers(pharmacyId, "reject")
    const id = yield* placeOrderWith(clinic, caseId, { pharmacyId })
    const failed = yield* untilOrder(clinic, caseId, "ERROR")
    assert.strictEqual(failed.message, "The pharmacy refused the order (422)")
    const [job] = yield* until(jobOf(clinic), ([latest]) => latest?.state === "failed")
    assert.lengthOf((yield* pharmacyOrder(id)).received, 1)

    yield* setPharmacyAnswers(pharmacyId, "accept")
    assert.strictEqual((yield* admin("POST", `/jobs/${job?.id}/retry`)).status, 200)
    const order = yield* untilOrder(clinic, caseId, "SUBMITTED")
    assert.isNull(order.message)
    assert.deepStrictEqual((yield* typesOf(caseId)).slice(2), [
      "ORDER_CHANGED ERROR JOB",
      "ORDER_CHANGED SUBMITTED JOB"
    ])
  })

  it("an order whose answer was lost is taken with what it was sent with, though its patient has another name", function* () {
    const { caseId, clinic, user } = yield* clinicWithCase
    const pharmacyId = randomUUID()
    yield* setPharmacyAnswers(pharmacyId, "loseAnswer", "down", "busy")
    const id = yield* placeOrderWith(clinic, caseId, { pharmacyId })
    yield* until(pharmacyOrder(id), ({ received }) => received.length > 0)
    const renamed = yield* call("POST", "/api/v1/users", {
      key: clinic.key,
      body: { action: "UPDATE_PROFILE", data: { email: user.email, firstName: "Anastasia" } }
    })
    assert.strictEqual(renamed.status, 200)
    yield* setPharmacyAnswers(pharmacyId, "accept")
    const order = yield* untilOrder(clinic, caseId, "SUBMITTED")
    const { received, taken } = yield* pharmacyOrder(id)
    assert.strictEqual(order.pharmacyOrderId, taken.pharmacyOrderId)
    assert.isAbove(received.length, 1)
    assert.lengthOf(new Set(received.map((body: unknown) => JSON.stringify(body))), 1)
    assert.notInclude(JSON.stringify(received), "Anastasia")
  })

  it("documents become attachments of the case before the order is handed over, each once", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    let requestCount = 0
    const { url } = yield* serveListener((_request, response) => {
      requestCount += 1
      response.end(pdf)
    })
    const pharmacyId = randomUUID()
    yield* setPharmacyAnswers(pharmacyId, "down", "accept")
    const [item] = orderBody().prescriptionItems
    const documents = [1, 2].map((number) => ({
      ...item,
      customFields: {
        documentUrl: `${url}/${number}`,
        color: "red",
        lots: [{ ndc: "1", count: 2.5, isCold: true, note: null }]
      }
    }))
    const id = yield* placeOrderWith(clinic, caseId, { pharmacyId, prescriptionItems: documents })
    yield* untilOrder(clinic, caseId, "SUBMITTED")
    const { json } = yield* admin("GET", `/cases/${caseId}`)
    assert.deepStrictEqual(
      json.attachments.map(({ contentType, fileName }: Readonly<Record<string, unknown>>) => [fileName, contentType]),
      [
        ["prescription-1", "application/pdf"],
        ["prescription-2", "application/pdf"]
      ]
    )
    assert.strictEqual(requestCount, 2)
    assert.deepStrictEqual((yield* pharmacyOrder(id)).received[0].prescriptionItems, documents)
  })

  it("a document that is not there makes the order an ERROR that names the item, and no URL", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const { url } = yield* serveListener((_request, response) => response.writeHead(404).end())
    const [item] = orderBody().prescriptionItems
    const id = yield* placeOrderWith(clinic, caseId, {
      prescriptionItems: [item, { ...item, customFields: { documentUrl: `${url}/rx.pdf` } }]
    })
    const order = yield* untilOrder(clinic, caseId, "ERROR")
    assert.strictEqual(order.message, "The document of prescription item 2 is not stored: answered 404")
    assert.deepStrictEqual((yield* pharmacyOrder(id)).received, [])
  })

  it("an order whose case was closed before the hand-over is canceled, and not sent", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const pharmacyId = randomUUID()
    yield* setPharmacyAnswers(pharmacyId, "reject", "accept")
    const id = yield* placeOrderWith(clinic, caseId, { pharmacyId })
    const [job] = yield* until(jobOf(clinic), ([latest]) => latest?.state === "failed")
    yield* closeCase(clinic, caseId)
    yield* admin("POST", `/jobs/${job?.id}/retry`)
    const order = yield* untilOrder(clinic, caseId, "CANCELED")
    assert.strictEqual(order.message, "The case was closed before the order was handed over")
    assert.lengthOf((yield* pharmacyOrder(id)).received, 1)
    assert.include((yield* Suite).output.join("\n"), "The case was closed: the order is not handed over")
  })

  it("an order that waited when its case was closed is canceled, though the case was reopened since", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const pharmacyId = randomUUID()
    yield* setPharmacyAnswers(pharmacyId, "down")
    const id = yield* placeOrderWith(clinic, caseId, { pharmacyId })
    yield* until(pharmacyOrder(id), ({ received }) => received.length > 0)
    yield* closeCase(clinic, caseId)
    yield* changeStatus(clinic, caseId, "REOPEN")
    yield* setPharmacyAnswers(pharmacyId, "accept")
    const next = yield* placeOrderWith(clinic, caseId, { pharmacyId })
    yield* jobsDone("cases", "order-hand-over")
    const taken = yield* Effect.forEach([id, next], (order) =>
      Effect.map(pharmacyOrder(order), (state) => state.taken !== null)
    )
    assert.deepStrictEqual(taken, [false, true])
    assert.strictEqual((yield* orderOf(clinic, caseId)).status, "CANCELED")
  })

  it("reports the state of an order and its shipping log in order of time", function* () {
    const { caseId, clinic, id } = yield* submitted
    const shipped = {
      status: "SHIPPED",
      trackingId: "1Z",
      trackingUrl: "https://ups.example/1Z",
      carrierName: "UPS",
      estDeliveryAt: "2026-03-05T00:00:00.000Z",
      shippingLog: { location: "Memphis, TN", message: "Departed", status: "IN_TRANSIT" }
    }
    assert.strictEqual(yield* sendOrderUpdate(id, shipped, { timestamp: "2026-03-01T10:00:00.000Z" }), 200)
    assert.strictEqual(
      yield* sendOrderUpdate(id, { status: "DELIVERED", shippingLog: {} }, { timestamp: "2026-03-04T10:00:00.000Z" }),
      200
    )
    const { shippingLog, ...facts } = shipped
    const log = (statusUpdatedAt: string, entry: object) => ({
      statusUpdatedAt,
      location: null,
      message: null,
      status: null,
      ...entry
    })
    const shippingLogs = [log("2026-03-01T10:00:00.000Z", shippingLog), log("2026-03-04T10:00:00.000Z", {})]
    assert.deepInclude(yield* orderOf(clinic, caseId), { ...facts, status: "DELIVERED", shippingLogs })
    assert.deepStrictEqual((yield* typesOf(caseId)).slice(3), [
      "ORDER_CHANGED SHIPPED PHARMACY",
      "ORDER_CHANGED DELIVERED PHARMACY"
    ])
  })

  it("tells of an order whatever characters are in it: those that cannot be stored are replaced", function* () {
    const { caseId, clinic, id } = yield* submitted
    const shippingLog = { location: "Memphis\u0000", message: "Left \ud800 here", status: "\udc00" }
    assert.strictEqual(yield* sendOrderUpdate(id, { status: "SHIPPED", carrierName: "U\u0000S", shippingLog }), 200)
    const { carrierName, shippingLogs, status } = yield* orderOf(clinic, caseId)
    assert.deepStrictEqual([status, carrierName], ["SHIPPED", "U\ufffdS"])
    assert.deepInclude(shippingLogs[0], { location: "Memphis\ufffd", message: "Left \ufffd here", status: "\ufffd" })
  })

  it("an event that comes again, also 10 times at once, takes effect once", function* () {
    const { caseId, clinic, id } = yield* submitted
    const event = { id: randomUUID(), timestamp: "2026-03-01T10:00:00.000Z" }
    const update = sendOrderUpdate(id, { status: "SHIPPED", shippingLog: { location: "Memphis, TN" } }, event)
    const answers = yield* Effect.all(
      Array.from({ length: 10 }, () => update),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(new Set([...answers, yield* update]), new Set([200]))
    assert.lengthOf((yield* orderOf(clinic, caseId)).shippingLogs, 1)
    assert.lengthOf((yield* typesOf(caseId)).slice(3), 1)
  })

  it("20 events of an order at once take effect, each of them", function* () {
    const { caseId, clinic, id } = yield* submitted
    const answers = yield* Effect.forEach(
      Array.from({ length: 20 }, (_, index) => `place ${index}`),
      (location) => sendOrderUpdate(id, { status: "SHIPPED", shippingLog: { location } }),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(new Set(answers), new Set([200]))
    assert.lengthOf((yield* orderOf(clinic, caseId)).shippingLogs, 20)
    assert.lengthOf((yield* typesOf(caseId)).slice(3), 20)
  })

  it("a late event does not set an order back: its log entry is inserted, and missing fields are filled in", function* () {
    const { caseId, clinic, id } = yield* submitted
    const at = (day: number) => ({ timestamp: `2026-03-0${day}T10:00:00.000Z` })
    yield* sendOrderUpdate(id, { status: "SHIPPED", trackingId: "new", shippingLog: { location: "second" } }, at(3))
    yield* sendOrderUpdate(id, { status: "ERROR", message: "Out of stock", shippingLog: { location: "first" } }, at(1))
    yield* sendOrderUpdate(id, { status: "SUBMITTED", trackingId: "old", carrierName: "UPS" }, at(2))
    yield* sendOrderUpdate(id, { status: "DELIVERED" }, at(4))
    yield* sendOrderUpdate(id, { status: "CANCELED" }, at(5))
    const order = yield* orderOf(clinic, caseId)
    assert.deepInclude(order, { status: "DELIVERED", trackingId: "new", carrierName: "UPS" })
    assert.deepStrictEqual(
      order.shippingLogs.map(({ location }: { location: string }) => location),
      ["first", "second"]
    )
  })

  it("an order that the pharmacy ships before its answer arrived stays shipped", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const pharmacyId = randomUUID()
    yield* setPharmacyAnswers(pharmacyId, "loseAnswer", "down")
    const id = yield* placeOrderWith(clinic, caseId, { pharmacyId })
    yield* until(pharmacyOrder(id), ({ taken }) => taken !== null)
    assert.strictEqual(yield* sendOrderUpdate(id, { status: "SHIPPED" }), 200)
    yield* setPharmacyAnswers(pharmacyId, "accept")
    yield* jobsDone("cases", "order-hand-over")
    assert.strictEqual((yield* orderOf(clinic, caseId)).status, "SHIPPED")
  })

  it("400: an event from the future, because all later events would be older", function* () {
    const { caseId, clinic, id } = yield* submitted
    const inMinutes = (minutes: number) => ({ timestamp: new Date(Date.now() + minutes * 60_000).toISOString() })
    assert.strictEqual(yield* sendOrderUpdate(id, { status: "SHIPPED" }, inMinutes(6)), 400)
    assert.strictEqual((yield* orderOf(clinic, caseId)).status, "SUBMITTED")
    assert.strictEqual(yield* sendOrderUpdate(id, { status: "SHIPPED" }, inMinutes(4)), 200)
    assert.strictEqual((yield* orderOf(clinic, caseId)).status, "SHIPPED")
  })

  it("an order that is not known is 404, and may be told of again", function* () {
    assert.strictEqual(yield* sendOrderUpdate(randomUUID(), { status: "SHIPPED" }), 404)
  })

  it("401: no signature, or one by another secret, of another body, or 5 minutes old; 400: an empty event", function* () {
    const { caseId, clinic, id } = yield* submitted
    const { secrets } = yield* Suite
    const body = (status: unknown) =>
      JSON.stringify({ type: "order.updated", timestamp: new Date(), data: { externalId: id, status } })
    const send = (raw: string, signed: string, secret: string, at = new Date()) =>
      call("POST", "/webhooks/pharmacy", {
        raw,
        headers: {
          "webhook-id": "e1",
          "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
          "webhook-signature": new Webhook(secret).sign("e1", at, signed)
        }
      })
    const shipped = body("SHIPPED")
    const pharmacySecret = secrets.PHARMACY_WEBHOOK_SECRET
    const refused = [
      call("POST", "/webhooks/pharmacy", { raw: shipped }),
      call("POST", "/webhooks/pharmacy", { raw: body(1) }),
      send(shipped, shipped, `whsec_${Buffer.alloc(32).toString("base64")}`),
      send(body("DELIVERED"), shipped, pharmacySecret),
      send(shipped, shipped, pharmacySecret, new Date(Date.now() - 6 * 60_000)),
      send(shipped, shipped, pharmacySecret, new Date(Date.now() + 6 * 60_000))
    ]
    for (const attempt of refused) {
      const { json, status } = yield* attempt
      assert.deepStrictEqual([status, json.title], [401, "The signature is not valid"])
    }
    const pending = body("PENDING")
    const malformed = yield* send(pending, pending, pharmacySecret)
    assert.strictEqual(malformed.status, 400)
    assert.include(malformed.json.detail, "data.status, ")
    assert.strictEqual((yield* orderOf(clinic, caseId)).status, "SUBMITTED")
    yield* expectAnswer(send(shipped, shipped, pharmacySecret), 200, { status: 200, success: true })
    assert.strictEqual((yield* orderOf(clinic, caseId)).status, "SHIPPED")
  })
})
