import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { DocumentId, OrderId, OrganizationId } from "@care/domain/ids"
import { layerQuickJobs } from "@care/jobs/testing"
import { makePatientKeys } from "@care/phi"
import { layerTestCipher } from "@care/phi/testing"
import { Egress } from "@care/service-kit"
import { serveListener } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { personSnapshot } from "../../test/personSnapshot.ts"
import { makeCase, readActivity } from "../../test/storedCases.ts"
import { Activity } from "../case/activity/Activity.ts"
import { CaseReplication } from "../case/lifecycle/CaseReplication.ts"
import { Cases } from "../case/lifecycle/Cases.ts"
import { People } from "../case/people/People.ts"
import { Documents } from "../documents/Documents.ts"
import { OrderHandOver } from "./OrderHandOver.ts"
import { Orders } from "./Orders.ts"
import { makeOrdersRepo } from "./OrdersRepo.ts"
import { Pharmacy, PharmacyFailed } from "./pharmacy/Pharmacy.ts"

const steps = ["the file is attached", "the pharmacy has the order", "the order is submitted"] as const

// The steps after which the next attempt breaks off, as if its process had ended.
const breaks = new Set<string>()
const breakAt = (step: (typeof steps)[number]) =>
  Effect.suspend(() => (breaks.delete(step) ? Effect.die(new Error("broken off")) : Effect.void))

const takenOrders: Array<string> = []
// What happens to an order while the pharmacy takes it.
const whilePharmacyTakes = new Map<string, Effect.Effect<unknown>>()
let pharmacyTrouble: "away" | "broken" | keyof typeof answers | undefined
// The bodies that the pharmacy was sent, by order.
const sentBodies = new Map<string, Array<string>>()
// The first names of patients, by organization.
const names = new Map<OrganizationId, string>()

const answers = {
  refuses: { reason: "The pharmacy refused", isRetryable: false, outcome: "REFUSED" },
  isSentNonsense: { reason: "The pharmacy refused the order (400)", isRetryable: false, outcome: "UNTAKEN" },
  doesNotKnowUs: { reason: "The pharmacy answered 401", isRetryable: true, outcome: "UNTAKEN" }
} as const

const layerPharmacy = Layer.mock(Pharmacy, {
  hasTestAccount: false,
  take: (_organizationId, externalId, body) =>
    Effect.suspend(() => {
      sentBodies.set(externalId, [...(sentBodies.get(externalId) ?? []), body])
      if (pharmacyTrouble === "away")
        return new PharmacyFailed({ reason: "The pharmacy answered 503", isRetryable: true, outcome: "UNKNOWN" })
      if (pharmacyTrouble === "broken") return Effect.die(new Error("a secret"))
      if (pharmacyTrouble !== undefined) return new PharmacyFailed(answers[pharmacyTrouble])
      takenOrders.push(externalId)
      return (whilePharmacyTakes.get(externalId) ?? Effect.void).pipe(
        Effect.andThen(breakAt("the pharmacy has the order")),
        Effect.as({ pharmacyOrderId: `RX ${externalId}`, pharmacyName: "Good Pharmacy" })
      )
    })
})

const layerPeople = Layer.mock(People, {
  summary: (organizationId, userId) => {
    const { person } = personSnapshot(organizationId, userId)
    return Effect.succeed({
      ...person,
      firstName: names.get(organizationId) ?? person.firstName,
      id: userId,
      createdAt: new Date(0),
      updatedAt: new Date(0),
      role: "USER"
    } as const)
  }
})

const layerBreakingDocuments = Layer.effect(
  Documents,
  Effect.map(Documents, (documents) => ({
    ...documents,
    attach: (document) => Effect.tap(documents.attach(document), () => breakAt("the file is attached"))
  }))
).pipe(Layer.provide(Documents.layer))

// What happens to an organization's order when its contents are read.
const whenRead = new Map<OrganizationId, Effect.Effect<unknown>>()

const layerBreakingOrders = Layer.effect(
  Orders,
  Effect.map(Orders, (orders) => ({
    ...orders,
    contents: (organizationId, id) =>
      Effect.tap(orders.contents(organizationId, id), () => whenRead.get(organizationId) ?? Effect.void),
    change: (...change) => Effect.tap(orders.change(...change), () => breakAt("the order is submitted"))
  }))
).pipe(Layer.provide(Orders.layer))

const TestLayer = OrderHandOver.layerWorker.pipe(
  Layer.provideMerge(OrderHandOver.layer),
  Layer.provideMerge(layerBreakingOrders),
  Layer.provide([layerBreakingDocuments, layerPeople, layerPharmacy, Activity.layer, Cases.layer]),
  Layer.provide(CaseReplication.layer),
  Layer.provide([
    layerQuickJobs,
    Egress.layerWith({ isProduction: false, resolve: (_name, done) => done(new Error("no names")) })
  ]),
  Layer.provideMerge(layerTestCipher),
  Layer.provideMerge(layerAuditedDatabase("cases"))
)

const address = { addressLine1: "1 A St", city: "Oakland", state: "CA", country: "US", postalCode: "94607" }
const prescription = {
  prescriber: {
    firstName: "Jane",
    lastName: "Rivera",
    npi: "1",
    email: "jane@example.com",
    phoneNumber: "+14155552671",
    address
  },
  diagnosis: "E66.9",
  pharmacyId: "1",
  prescriptionItems: [{ drugId: "semaglutide", quantity: "4" }]
}

layer(TestLayer, { excludeTestServices: true })("the hand-over of an order", (it) => {
  const fileServer = Effect.gen(function* () {
    let requests = 0
    const { url } = yield* serveListener((_request, response) => {
      requests += 1
      response.end("%PDF-1.7\n")
    })
    return { url, countRequests: () => requests }
  })

  const place = Effect.fnUntraced(function* (url?: string) {
    const organizationId = OrganizationId.make(randomUUID())
    const { id: caseId, userId } = yield* makeCase(organizationId)
    const orderId = OrderId.make(randomUUID())
    const repo = yield* makeOrdersRepo
    yield* repo.insert(
      yield* (yield* makePatientKeys).of(organizationId, userId),
      {
        organizationId,
        id: orderId,
        caseId,
        externalId: orderId,
        pharmacyOrderId: null,
        trackingId: null,
        status: "PENDING",
        message: null,
        pharmacyName: null,
        createdAt: new Date(),
        items: [{ name: "semaglutide", quantity: "4" }],
        replacementReason: null,
        shippingLogs: [],
        estDeliveryAt: null,
        trackingUrl: null,
        carrierName: null,
        reportedAt: null
      },
      {
        organizationId,
        orderId,
        shippingAddress: { ...address, addressLine2: null },
        prescription,
        body: null,
        documents: url === undefined ? [] : [{ id: DocumentId.make(randomUUID()), item: 0, url }]
      }
    )
    yield* (yield* OrderHandOver).offer({ organizationId, caseId, orderId })
    return { organizationId, caseId, orderId, userId }
  })

  type Services = Layer.Success<typeof TestLayer>
  type Placed = Effect.Success<ReturnType<typeof place>>

  const cancel = Effect.fnUntraced(function* ({ orderId, organizationId }: Placed) {
    yield* (yield* Orders).change(organizationId, orderId, "backOffice", { status: "CANCELED" })
  })

  const untilJob = (organizationId: OrganizationId, isSo: (state: string, attempts: number) => boolean) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql<{ state: string; attempts: number }>`
        SELECT state, attempts FROM jobs WHERE organization_id = ${organizationId}
      `.pipe(Effect.repeat({ until: ([job]) => job !== undefined && isSo(job.state, job.attempts) }))
    )

  const read = (organizationId: OrganizationId, orderId: OrderId) =>
    Effect.flatMap(makeOrdersRepo, (repo) => Effect.map(repo.find(organizationId, orderId), Option.getOrThrow))

  const changesOf = (organizationId: OrganizationId, caseId: Parameters<typeof readActivity>[1]) =>
    Effect.map(readActivity(organizationId, caseId), (all) =>
      all.map(({ details, type }) => [type, details["status"]].join(" ").trim())
    )

  for (const broken of [[], ...steps.map((step) => [step]), [...steps]]) {
    it.effect(`is done once, also when it breaks off after: ${broken.join(", ") || "nothing"}`, () =>
      Effect.gen(function* () {
        breaks.clear()
        for (const step of broken) breaks.add(step)
        const { countRequests, url } = yield* fileServer
        const { caseId, orderId, organizationId } = yield* place(url)
        const [job] = yield* untilJob(organizationId, (state) => state === "completed")
        assert.strictEqual(job?.attempts, broken.length + 1)
        assert.strictEqual(breaks.size, 0)
        const order = yield* read(organizationId, orderId)
        assert.deepInclude(order, {
          status: "SUBMITTED",
          pharmacyOrderId: `RX ${orderId}`,
          pharmacyName: "Good Pharmacy"
        })
        assert.strictEqual(new Set(takenOrders.filter((id) => id === orderId)).size, 1)
        assert.strictEqual(countRequests(), 1)
        assert.deepStrictEqual(yield* changesOf(organizationId, caseId), ["FILE_ATTACHED", "ORDER_CHANGED SUBMITTED"])
      }).pipe(Effect.scoped)
    )
  }

  for (const [kind, message] of [
    ["away", "The pharmacy answered 503"],
    ["broken", "The order could not be handed over"]
  ] as const) {
    it.effect(`that fails for three days (${kind}) leaves an ERROR, once, and a failed job for the operator`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        pharmacyTrouble = kind
        const { caseId, orderId, organizationId } = yield* place()
        yield* untilJob(organizationId, (state, attempts) => state === "pending" && attempts >= 1)
        assert.strictEqual((yield* read(organizationId, orderId)).status, "PENDING")
        // As if it had been attempted all the time.
        yield* sql`
          UPDATE jobs SET failing_since = now() - interval '3 days', due_at = now() WHERE organization_id = ${organizationId} AND state = 'pending'
          RETURNING id
        `.pipe(Effect.repeat({ until: (rows) => rows.length > 0 }))
        yield* untilJob(organizationId, (state) => state === "failed")
        assert.deepInclude(yield* read(organizationId, orderId), { status: "ERROR", message })
        pharmacyTrouble = undefined
        yield* sql`
          UPDATE jobs SET state = 'pending', attempts = 0, failing_since = NULL, due_at = now(), ended_at = NULL
          WHERE organization_id = ${organizationId}
        `
        yield* untilJob(organizationId, (state) => state === "completed")
        assert.deepInclude(yield* read(organizationId, orderId), { status: "SUBMITTED", message: null })
        assert.deepStrictEqual(yield* changesOf(organizationId, caseId), [
          "ORDER_CHANGED ERROR",
          "ORDER_CHANGED SUBMITTED"
        ])
      })
    )
  }

  const sentNames = (orderId: OrderId) =>
    (sentBodies.get(orderId) ?? []).map((body) => /"firstName":"(\w+)"/.exec(body)?.[1] ?? "")

  it.effect("sends the pharmacy the same body at every attempt, also when the patient's data changes", () =>
    Effect.gen(function* () {
      pharmacyTrouble = "away"
      const { orderId, organizationId } = yield* place()
      yield* untilJob(organizationId, (state, attempts) => state === "pending" && attempts >= 1)
      names.set(organizationId, "Ana")
      pharmacyTrouble = undefined
      yield* untilJob(organizationId, (state) => state === "completed")
      const bodies = sentBodies.get(orderId) ?? []
      assert.isAbove(bodies.length, 1)
      assert.lengthOf(new Set(bodies), 1)
      assert.strictEqual(sentNames(orderId).at(-1), "Maria")
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ body: string }>`
        SELECT body FROM order_contents WHERE organization_id = ${organizationId} AND order_id = ${orderId}
      `
      assert.notInclude(row?.body, "Maria")
    })
  )

  const repeat = (organizationId: OrganizationId) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`
        UPDATE jobs SET state = 'pending', attempts = 0, failing_since = NULL, due_at = now(), ended_at = NULL
        WHERE organization_id = ${organizationId}
      `
    )

  // The pharmacy's answers before the patient's name changes, and the name that it is sent afterwards.
  for (const [name, troubles, sentName] of [
    ["refused", ["refuses"], "Ana"],
    ["was sent wrong data of", ["isSentNonsense"], "Ana"],
    ["did not know us for, and was sent wrong data of", ["doesNotKnowUs", "isSentNonsense"], "Ana"],
    ["may have taken, and was sent wrong data of", ["away", "isSentNonsense"], "Maria"],
    ["may have taken, and refused", ["away", "refuses"], "Ana"]
  ] as const) {
    it.effect(
      `that the pharmacy ${name} is sent with ${sentName === "Ana" ? "current data" : "the same body"} when the operator repeats it`,
      () =>
        Effect.gen(function* () {
          pharmacyTrouble = troubles[0]
          const { orderId, organizationId } = yield* place()
          yield* untilJob(
            organizationId,
            (state, attempts) => state === "failed" || (state === "pending" && attempts >= 1)
          )
          pharmacyTrouble = troubles.at(-1)
          yield* untilJob(organizationId, (state) => state === "failed")
          assert.strictEqual((yield* read(organizationId, orderId)).status, "ERROR")
          names.set(organizationId, "Ana")
          pharmacyTrouble = undefined
          yield* repeat(organizationId)
          yield* untilJob(organizationId, (state) => state === "completed")
          assert.strictEqual(sentNames(orderId).at(-1), sentName)
        })
    )
  }

  it.effect("a refused body is removed only while it is the stored one", () =>
    Effect.gen(function* () {
      pharmacyTrouble = "away"
      const placed = yield* place()
      const { orderId: id, organizationId } = placed
      yield* untilJob(organizationId, (state, attempts) => state === "pending" && attempts >= 1)
      yield* cancel(placed)
      pharmacyTrouble = undefined
      const orders = yield* Orders
      const stored = (yield* orders.contents(organizationId, id)).body ?? assert.fail("nothing is stored")
      assert.strictEqual(yield* orders.keepBody(placed, "another"), stored)
      yield* orders.forgetBody(placed, "another")
      assert.strictEqual((yield* orders.contents(organizationId, id)).body, stored)
      yield* orders.forgetBody(placed, stored)
      const bodies = yield* Effect.all(
        ["one", "two", "three"].map((body) => orders.keepBody(placed, body)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(new Set(bodies), 1)
    })
  )

  interface Ending {
    readonly name: string
    readonly message: string | null
    readonly state: string
    readonly end: (placed: Placed) => Effect.Effect<void, unknown, Services>
  }

  // What keeps an order from being sent, and how its job ends.
  const endings: ReadonlyArray<Ending> = [
    {
      name: "the patient is erased",
      // The message is sealed with the destroyed key.
      message: null,
      state: "cancelled",
      end: Effect.fnUntraced(function* ({ organizationId, userId }: Placed) {
        yield* (yield* makePatientKeys).destroy(organizationId, userId, new Date())
      })
    },
    {
      name: "the case is closed",
      message: "The case was closed before the order was handed over",
      state: "cancelled",
      end: Effect.fnUntraced(function* ({ caseId, organizationId }: Placed) {
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE cases SET is_archived = true WHERE organization_id = ${organizationId} AND id = ${caseId}`
      })
    },
    { name: "the care team cancels it", message: null, state: "completed", end: cancel }
  ]

  const isEnd = (state: string) => state === "cancelled" || state === "completed"

  for (const { end, message, name, state } of endings) {
    for (const isLate of [false, true]) {
      it.effect(`is not done when ${name} ${isLate ? "during it" : "before it"}: the order is CANCELED`, () =>
        Effect.gen(function* () {
          pharmacyTrouble = "away"
          const placed = yield* place()
          const { caseId, orderId, organizationId } = placed
          yield* untilJob(organizationId, (now, attempts) => now === "pending" && attempts >= 1)
          const pharmacyIsBack = Effect.sync(() => {
            pharmacyTrouble = undefined
          })
          const ends = Effect.provide(end(placed), yield* Effect.context<Services>())
          if (isLate) whenRead.set(organizationId, Effect.orDie(Effect.andThen(ends, pharmacyIsBack)))
          else {
            yield* ends
            const [before] = yield* untilJob(organizationId, () => true)
            // An attempt that began earlier may be on its way to the pharmacy.
            yield* untilJob(organizationId, (now, attempts) => isEnd(now) || attempts > (before?.attempts ?? 0))
            yield* pharmacyIsBack
          }
          const [job] = yield* untilJob(organizationId, isEnd)
          assert.strictEqual(job?.state, state)
          assert.deepInclude(yield* read(organizationId, orderId), { status: "CANCELED", message })
          assert.notInclude(takenOrders, orderId)
          assert.deepStrictEqual(yield* changesOf(organizationId, caseId), ["ORDER_CHANGED CANCELED"])
        })
      )
    }
  }

  it.effect("that the pharmacy took while the care team canceled it stays CANCELED, with the pharmacy's id", () =>
    Effect.gen(function* () {
      pharmacyTrouble = "away"
      const placed = yield* place()
      const { caseId, orderId, organizationId } = placed
      yield* untilJob(organizationId, (now, attempts) => now === "pending" && attempts >= 1)
      const context = yield* Effect.context<Services>()
      whilePharmacyTakes.set(orderId, Effect.orDie(Effect.provide(cancel(placed), context)))
      pharmacyTrouble = undefined
      yield* untilJob(organizationId, (now) => now === "completed")
      assert.include(takenOrders, orderId)
      assert.deepInclude(yield* read(organizationId, orderId), {
        status: "CANCELED",
        pharmacyOrderId: `RX ${orderId}`
      })
      assert.deepStrictEqual(yield* changesOf(organizationId, caseId), [
        "ORDER_CHANGED CANCELED",
        "ORDER_CHANGED CANCELED"
      ])
    })
  )
})
