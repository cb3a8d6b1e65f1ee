import { randomUUID } from "node:crypto"
import { ReadCase } from "@care/domain/cases"
import { CalendarEventId, OrganizationId } from "@care/domain/ids"
import { ofNobody, PhiCipher } from "@care/phi"
import { layerTestCipherWith } from "@care/phi/testing"
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { OrderRow } from "../../services/cases/src/orders/OrdersRepo.ts"
import { EventRow } from "../../services/scheduling/src/calendar/calendarEvents/EventRow.ts"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { SuiteTime } from "./harness/SuiteTime.ts"
import { testsOn } from "./harness/testsOn.ts"

const unknownId = "3b241101-e2bb-4255-8caf-4136c566a962"
const listsOfCase = ["comments", "decisions", "attachments", "orders", "form-responses", "calendar-events"]

// The fields of a case detail by its contract, in order.
const ReadCaseJson = Schema.toCodecJson(ReadCase)
const decodeCase = Schema.decodeUnknownSync(ReadCaseJson)
const encodeCase = Schema.encodeSync(ReadCaseJson)

const noCase = "No Case found for provided details!"
const invalid = (status: number, error: string) => ({ status, success: false, message: "Invalid request", error })
const caseError = (error: string) => ({
  status: 400,
  success: false,
  message: "Invalid case data",
  error,
  code: "CASE_ERROR"
})

testsOn(Suite.layer, "reading and administration", (it) => {
  const detail = (key: string, query: string) =>
    Effect.map(call("GET", `/api/v1/customer-case-detail?${query}`, { key }), (answer) => {
      const { json, status } = answer
      if (status === 200) assert.strictEqual(JSON.stringify(json), JSON.stringify(encodeCase(decodeCase(json))))
      return answer
    })
  const latest = (key: string, query: string) => call("GET", `/api/v1/customer-latest-case-id?${query}`, { key })

  const clinicWithCase = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    const created = yield* createCase(clinic, body)
    return { clinic, caseId: String(created.json.data.caseId), user: body.user }
  })

  it("case detail 200: shows collections only when asked for, empty while nothing fills them", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const plain = (yield* detail(clinic.key, `caseId=${caseId}`)).json
    assert.deepStrictEqual([plain.status, plain.success, plain.caseDetail.id], [200, true, caseId])
    assert.notProperty(plain.caseDetail, "attachments")
    assert.notProperty(plain.caseDetail, "calendarEvents")
    assert.notProperty(plain.caseDetail, "orders")
    const flags = "includeAttachments=true&includeCalendarEvents=true&includeOrders=true&documentFormat=url"
    const full = (yield* detail(clinic.key, `caseId=${caseId}&${flags}`)).json
    assert.deepInclude(full.caseDetail, { attachments: [], calendarEvents: [], orders: [] })
  })

  it("case detail 200: by email the newest case, in any letter case; the case id wins over the email", function* () {
    const { caseId, clinic, user } = yield* clinicWithCase
    const newer = yield* createCase(clinic, caseBody(clinic, { user, forceCreate: true }))
    const byEmail = yield* detail(clinic.key, `email=${encodeURIComponent(` ${user.email.toUpperCase()} `)}`)
    assert.strictEqual(byEmail.json.caseDetail.id, newer.json.data.caseId)
    const both = yield* detail(clinic.key, `caseId=${caseId}&email=${user.email}`)
    assert.strictEqual(both.json.caseDetail.id, caseId)
  })

  it("case detail 200: orders with items and shipping logs, calendar events with who takes part", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const { secrets } = yield* Suite
    const cipher = yield* Effect.provide(PhiCipher, layerTestCipherWith(secrets.PHI_KEY))
    const [sealOrder, sealEvent] = [OrderRow.seal(cipher), EventRow.seal(cipher)]
    const organizationId = OrganizationId.make(clinic.organizationId)
    const patient: string = (yield* detail(clinic.key, `caseId=${caseId}`)).json.caseDetail.submitter.id
    const at = "2026-03-01T10:00:00.000Z"
    const later = "2026-03-01T10:30:00.000Z"
    const items = [{ name: "Semaglutide 0.25 mg", quantity: "4" }]
    const logs = [
      { statusUpdatedAt: new Date(at), location: "Memphis, TN", message: "Departed", status: "IN_TRANSIT" },
      { statusUpdatedAt: new Date(later), location: null, message: null, status: null }
    ]
    const meeting = {
      title: "Follow-up",
      meetingLink: "https://meet.example/1",
      cancelUrl: "https://meet.example/c",
      rescheduleUrl: "https://meet.example/r",
      meetingNotes: "Second visit"
    }
    const order = randomUUID()
    const [event, cancelled] = [CalendarEventId.make(randomUUID()), CalendarEventId.make(randomUUID())]
    const ordered = sealOrder(ofNobody, { organizationId, id: order, items, shippingLogs: logs })
    yield* inDatabase(
      "cases",
      (sql) =>
        sql`
            INSERT INTO cases.orders (
              id, case_id, organization_id, external_id, status, items, shipping_logs, est_delivery_at, carrier_name,
              pharmacy_name, created_at, updated_at
            ) VALUES (
              ${order}, ${caseId}, ${organizationId}, ${order}, 'SHIPPED', ${ordered.items}, ${ordered.shippingLogs},
              ${later}, 'UPS', 'Good Pharmacy', ${at}, ${at}
            )
          `
    )
    yield* inDatabase("scheduling", (sql) =>
      Effect.forEach(
        [
          { id: event, isDeleted: false },
          { id: cancelled, isDeleted: true }
        ],
        ({ id, isDeleted }) => {
          const sealed = sealEvent(ofNobody, { organizationId, id, ...meeting })
          return sql`
                INSERT INTO scheduling.calendar_events (
                  id, organization_id, case_id, user_id, agent_name, title, is_editable, status, starts_at, ends_at, timezone,
                  meeting_link, cancel_url, reschedule_url, meeting_notes, organizer_id, participant_ids, is_deleted, created_at,
                  updated_at
                ) VALUES (
                  ${id}, ${organizationId}, ${caseId}, ${patient}, 'custom', ${sealed.title}, true, 'SCHEDULED', ${at}, ${later},
                  'America/New_York', ${sealed.meetingLink}, ${sealed.cancelUrl}, ${sealed.rescheduleUrl}, ${sealed.meetingNotes},
                  ${patient}, ARRAY[${patient}]::uuid[], ${isDeleted}, ${at}, ${at}
                )
              `
        }
      )
    )
    const flags = "includeCalendarEvents=true&includeOrders=true"
    const caseDetail = (yield* detail(clinic.key, `caseId=${caseId}&${flags}`)).json.caseDetail
    assert.deepStrictEqual(caseDetail.orders, [
      {
        id: order,
        externalId: order,
        pharmacyOrderId: "",
        trackingId: null,
        status: "SHIPPED",
        message: null,
        pharmacyName: "Good Pharmacy",
        createdAt: at,
        items,
        replacementReason: null,
        shippingLogs: logs.map((log) => ({ ...log, statusUpdatedAt: log.statusUpdatedAt.toISOString() })),
        estDeliveryAt: later,
        trackingUrl: null,
        carrierName: "UPS"
      }
    ])
    assert.deepStrictEqual(caseDetail.calendarEvents, [
      {
        id: event,
        startDateTime: at,
        endDateTime: later,
        timezone: "America/New_York",
        meetingLink: meeting.meetingLink,
        cancelURL: meeting.cancelUrl,
        rescheduleURL: meeting.rescheduleUrl,
        meetingNotes: meeting.meetingNotes,
        meetingProvider: "",
        organizer: caseDetail.submitter,
        participants: [caseDetail.submitter]
      }
    ])
    const asAdmin = (yield* admin("GET", `/cases/${caseId}`)).json
    assert.deepStrictEqual([asAdmin.orders, asAdmin.calendarEvents], [caseDetail.orders, caseDetail.calendarEvents])
    for (const [list, data] of [
      ["orders", caseDetail.orders],
      ["calendar-events", caseDetail.calendarEvents]
    ] as const) {
      yield* expectAnswer(admin("GET", `/cases/${caseId}/${list}`), 200, { data, nextCursor: null })
    }
  })

  it("case detail 400: neither case id nor email, and a document format that there is not", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    for (const query of ["", "caseId=&email="]) {
      const refused = yield* detail(clinic.key, query)
      assert.deepStrictEqual(refused.json, invalid(400, "caseId or email parameters must be provided!"))
      assert.strictEqual(refused.status, 400)
    }
    const refused = yield* detail(clinic.key, `caseId=${caseId}&documentFormat=pdf`)
    assert.deepStrictEqual(refused.json, invalid(400, "documentFormat, must be one of base64, url"))
  })

  it("case detail 404: by email a case of another organization does not exist", function* () {
    const { user } = yield* clinicWithCase
    const other = yield* makeClinic
    yield* expectAnswer(detail(other.key, `email=${user.email}`), 404, invalid(404, noCase))
  })

  it("case detail 404: unknown id, an id that is no UUID, an unknown email", function* () {
    const clinic = yield* makeClinic
    for (const query of ["caseId=3b241101-e2bb-4255-8caf-4136c566a962", "caseId=7", "email=nobody@example.com"]) {
      yield* expectAnswer(detail(clinic.key, query), 404, invalid(404, noCase))
    }
  })

  it("latest case id 200: by email and by phone number, only in the key's organization", function* () {
    const { caseId, clinic, user } = yield* clinicWithCase
    const expected = { status: 200, success: true, case: { id: caseId } }
    assert.deepStrictEqual((yield* latest(clinic.key, `email=${user.email}`)).json, expected)
    const phone = encodeURIComponent(user.phoneNumber)
    assert.deepStrictEqual((yield* latest(clinic.key, `phoneNumber=${phone}`)).json, expected)
    // A plus that is not encoded arrives as a space.
    assert.deepStrictEqual((yield* latest(clinic.key, `phoneNumber=${user.phoneNumber}`)).json, expected)
    const other = yield* makeClinic
    assert.deepStrictEqual((yield* latest(other.key, `email=${user.email}`)).json, caseError(noCase))
  })

  it("latest case id 400: every documented message", function* () {
    const clinic = yield* makeClinic
    yield* expectAnswer(latest(clinic.key, ""), 400, caseError("Email id not provided!"))
    yield* expectAnswer(latest(clinic.key, "email=nobody@example.com"), 400, caseError(noCase))
  })

  it("a revoked, an expired and a disabled organization's key stop working within 5 seconds", function* () {
    const { clinic, user } = yield* clinicWithCase
    const path = `/organizations/${clinic.organizationId}`
    const works = (key: string) => Effect.map(latest(key, `email=${user.email}`), ({ json }) => json.success === true)
    const { advance } = yield* SuiteTime

    const second = (yield* admin("POST", `${path}/api-keys`, { label: "second" })).json
    const expiresAt = new Date(Date.now() + 600_000).toISOString()
    const expiring = (yield* admin("POST", `${path}/api-keys`, { expiresAt })).json
    assert.isTrue(yield* works(clinic.key))
    assert.isTrue(yield* works(second.key))
    assert.isTrue(yield* works(expiring.key))
    assert.strictEqual((yield* admin("DELETE", `/api-keys/${second.id}`)).status, 204)
    yield* advance("5 seconds")
    assert.isFalse(yield* works(second.key))
    assert.isTrue(yield* works(clinic.key))
    yield* advance("10 minutes")
    assert.isFalse(yield* works(expiring.key))
    assert.isTrue(yield* works(clinic.key))
    yield* admin("PATCH", path, { isDisabled: true })
    yield* advance("5 seconds")
    assert.isFalse(yield* works(clinic.key))

    const listed = (yield* admin("GET", `${path}/api-keys`)).json.data
    assert.strictEqual(listed.length, 3)
    for (const key of listed) {
      assert.property(key, "prefix")
      assert.notProperty(key, "key")
    }
    assert.isNotNull(listed[0].lastUsedAt)
    assert.isNotNull(listed[1].revokedAt)
  })

  it("the admin API refuses a missing and a wrong token with problem details", function* () {
    const lists = listsOfCase.map((list) => `/admin/v1/cases/${unknownId}/${list}`)
    for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: "" }]) {
      for (const path of ["/admin/v1/organizations", ...lists]) {
        const refused = yield* call("GET", path, { headers })
        assert.strictEqual(refused.status, 401)
        assert.strictEqual(refused.headers.get("content-type"), "application/problem+json")
        assert.deepInclude(refused.json, { type: "about:blank", title: "Unauthorized", status: 401 })
      }
    }
  })

  it("the admin API answers unknown ids with 404 and bad bodies with 400, as problem details", function* () {
    const clinic = yield* makeClinic
    const unknown = unknownId
    const cursors = [[9e15, "x"], [9e15, unknown], [0, "x"], [-1e15, unknown], ["0", unknown], {}].map((position) =>
      Buffer.from(JSON.stringify(position)).toString("base64url")
    )
    const refusals: ReadonlyArray<readonly [number, string, string, unknown]> = [
      [404, "GET", `/organizations/${unknown}`, undefined],
      [404, "PATCH", `/organizations/${unknown}`, { name: "x" }],
      [404, "POST", `/organizations/${unknown}/api-keys`, {}],
      [404, "GET", `/organizations/${unknown}/api-keys`, undefined],
      [404, "DELETE", `/api-keys/${unknown}`, undefined],
      [404, "DELETE", `/users/${unknown}`, undefined],
      [404, "POST", `/organizations/${unknown}/products`, { name: "x" }],
      [404, "GET", `/cases/${unknown}`, undefined],
      [400, "GET", "/cases/7", undefined],
      [400, "GET", "/organizations?limit=0", undefined],
      ...cursors.flatMap(
        (cursor): Array<readonly [number, string, string, unknown]> => [
          [400, "GET", `/organizations?cursor=${cursor}`, undefined],
          [400, "GET", `/organizations/${clinic.organizationId}/api-keys?cursor=${cursor}`, undefined],
          [400, "GET", `/messages?cursor=${cursor}`, undefined],
          ...listsOfCase.map((list) => [400, "GET", `/cases/${unknown}/${list}?cursor=${cursor}`, undefined] as const)
        ]
      ),
      ...listsOfCase.flatMap(
        (list): Array<readonly [number, string, string, unknown]> => [
          [404, "GET", `/cases/${unknown}/${list}`, undefined],
          [400, "GET", `/cases/7/${list}`, undefined],
          [400, "GET", `/cases/${unknown}/${list}?limit=101`, undefined]
        ]
      ),
      [400, "GET", `/cases/${unknown}/comments?isRestricted=x`, undefined],
      [400, "POST", "/organizations", {}],
      [400, "POST", "/organizations", []],
      [400, "POST", `/organizations/${clinic.organizationId}/products`, { name: "x", price: 5 }],
      [400, "POST", `/organizations/${clinic.organizationId}/products`, { name: "x", price: "5.001" }],
      [400, "POST", `/organizations/${clinic.organizationId}/products`, { name: "x", price: "5", currency: "XYZ" }],
      [400, "POST", `/organizations/${clinic.organizationId}/api-keys`, { expiresAt: "2020-01-01T00:00:00Z" }],
      [400, "POST", `/organizations/${clinic.organizationId}/forms`, { title: "x", questions: [] }],
      [
        400,
        "POST",
        `/organizations/${clinic.organizationId}/forms`,
        { title: "x", questions: [{ question: "q", type: "SINGLESELECT", required: true }] }
      ]
    ]
    for (const [status, method, path, body] of refusals) {
      const refused = yield* admin(method, path, body)
      assert.strictEqual(refused.status, status, `${method} ${path}`)
      assert.strictEqual(refused.headers.get("content-type"), "application/problem+json")
      assert.strictEqual(refused.json.status, status)
      assert.isString(refused.json.detail)
    }
  })

  it("a bundle takes only the organization's own products and forms", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const bundle = (changes: Readonly<Record<string, unknown>>) =>
      admin("POST", `/organizations/${clinic.organizationId}/bundles`, {
        name: "Bundle",
        description: "",
        imageUrl: "https://images.example.com/b.png",
        price: "10.00",
        priceUnit: "USD",
        initialDiscount: "0",
        isSoldOut: false,
        isVisible: true,
        ...changes
      })
    const question = { question: "How much do you weigh?", type: "TEXT", required: true }
    const form = (organizationId: string) =>
      admin("POST", `/organizations/${organizationId}/forms`, { title: "Form", questions: [question] })
    const formId = (yield* form(clinic.organizationId)).json.id
    const foreign = (yield* form(other.organizationId)).json.id
    assert.strictEqual((yield* bundle({ productIds: [clinic.productId], intakeFormId: formId })).status, 201)
    assert.strictEqual((yield* bundle({ productIds: [other.productId] })).status, 422)
    assert.strictEqual((yield* bundle({ followupFormId: foreign })).status, 422)
  })

  it("members: one account an email in an organization, another at another organization; a deleted user frees the email", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const email = `jane.${clinic.organizationId}@example.com`
    const add = (organizationId: string, changes: Readonly<Record<string, unknown>> = {}) =>
      admin("POST", `/organizations/${organizationId}/members`, {
        email,
        firstName: "Jane",
        lastName: "Rivera",
        role: "THIRD_PARTY_ADMIN",
        licensedStates: ["CA"],
        ...changes
      })
    const added = yield* add(clinic.organizationId)
    assert.strictEqual(added.status, 201)
    assert.deepInclude(added.json, { email, role: "THIRD_PARTY_ADMIN", licensedStates: ["CA"], isActive: true })
    assert.strictEqual((yield* add(clinic.organizationId)).status, 409)
    const elsewhere = yield* add(other.organizationId, { role: "PROVIDER" })
    assert.strictEqual(elsewhere.status, 201)
    assert.notStrictEqual(elsewhere.json.id, added.json.id)
    assert.strictEqual((yield* admin("DELETE", `/users/${added.json.id}`)).status, 204)
    assert.strictEqual((yield* admin("DELETE", `/users/${added.json.id}`)).status, 404)
    assert.strictEqual((yield* add(clinic.organizationId)).status, 201)
    assert.strictEqual((yield* add(other.organizationId)).status, 409)
  })

  it("the case of a deleted patient still shows who submitted it", function* () {
    const { caseId, clinic, user } = yield* clinicWithCase
    const before = (yield* detail(clinic.key, `caseId=${caseId}`)).json.caseDetail.submitter
    assert.strictEqual((yield* admin("DELETE", `/users/${before.id}`)).status, 204)
    const after = (yield* detail(clinic.key, `caseId=${caseId}`)).json.caseDetail.submitter
    assert.deepStrictEqual([after.id, after.email, after.isActive], [before.id, user.email, false])
  })
})
