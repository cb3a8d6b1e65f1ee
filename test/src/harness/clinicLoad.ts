import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Cause, Effect, Record } from "effect"
import { appointmentsOf, book, bookingBody, cancel, openSlot } from "./appointments.ts"
import { type Answer, admin, call } from "./call.ts"
import { addStaff, type Clinic, caseBody, decisionBody, newPatient } from "./fixtures.ts"
import { activityTypesOf, intentId, succeeded } from "./gatewayEvents.ts"
import { pharmacyOrder } from "./pharmacy.ts"
import { changeStatus, placeOrder } from "./placeOrder.ts"
import { paid, paymentIntent } from "./references.ts"
import type { Suite } from "./Suite.ts"
import { atSchedulingProvider, meetingsOf } from "./schedulingProvider.ts"
import { codeSentTo, codesSentTo, refresh, sendCode, verifyCode } from "./signIn.ts"
import { askStripe, sendEvent } from "./stripe.ts"
import { until } from "./until.ts"
import { changeUser, checkUser } from "./users.ts"

/** Fails unless what a caller did is there, and there once. */
type Check = Effect.Effect<void, unknown, Suite>

/** The kinds of callers. */
export const kinds = ["orders", "checkouts", "careTeam", "appointments", "payments", "patients"] as const
type Kind = (typeof kinds)[number]

/** What callers of a clinic did, and what they were answered. */
export interface ClinicLoad {
  readonly clinic: Clinic
  readonly providerId: string
  /** From how many days on its visits are. */
  readonly firstDay: number
  readonly caseIds: Array<string>
  /** When a request was refused because the clinic moves. */
  readonly refusedAt: Array<number>
  readonly failures: Array<string>
  /** What each kind of caller did. */
  readonly checks: Readonly<Record<Kind, Array<Check>>>
}

export const makeClinicLoad = (clinic: Clinic, firstDay: number) =>
  Effect.map(addStaff(clinic), (providerId): ClinicLoad => {
    const checks = { orders: [], checkouts: [], careTeam: [], appointments: [], payments: [], patients: [] }
    return { clinic, providerId, firstDay, caseIds: [], refusedAt: [], failures: [], checks }
  })

/** Sends a request until it is not refused because the clinic moves. */
const persist = <E, R>(load: ClinicLoad, request: Effect.Effect<Answer, E, R>) =>
  Effect.gen(function* () {
    while (true) {
      const answer = yield* request
      if (answer.status < 300) return answer.json
      if (answer.status !== 503 || answer.headers.get("retry-after") === null) {
        return yield* Effect.die(new Error(`${answer.status} ${JSON.stringify(answer.json)}`))
      }
      load.refusedAt.push(Date.now())
      yield* Effect.sleep("100 millis")
    }
  })

const newCase = Effect.fnUntraced(function* (load: ClinicLoad, changes: Readonly<Record<string, unknown>> = {}) {
  const body = caseBody(load.clinic, changes)
  const headers = { "idempotency-key": randomUUID() }
  const { data } = yield* persist(load, call("POST", "/api/v1/cases", { key: load.clinic.key, body, headers }))
  const caseId: string = data.caseId
  load.caseIds.push(caseId)
  return { caseId, email: body.user.email }
})

const listOf = (caseId: string, list: string) =>
  Effect.map(admin("GET", `/cases/${caseId}/${list}`), ({ json }): ReadonlyArray<Answer["json"]> => json.data)

const paymentsOf = (caseId: string) =>
  Effect.map(admin("GET", `/payments?caseId=${caseId}`), ({ json }): ReadonlyArray<Answer["json"]> => json.data)

type Caller = (load: ClinicLoad, round: number) => Effect.Effect<Check, unknown, Suite>

// Each uses cases of its own.
const callers: Readonly<Record<Kind, Caller>> = {
  orders: Effect.fnUntraced(function* (load) {
    const { clinic } = load
    const { caseId } = yield* newCase(load)
    const detail = yield* call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key })
    assert.strictEqual(detail.status, 200)
    for (const status of ["CLOSE", "REOPEN"] as const) yield* persist(load, changeStatus(clinic, caseId, status))
    const orderId: string = (yield* persist(load, placeOrder(clinic, caseId))).data.order.id
    return Effect.gen(function* () {
      const orders = yield* listOf(caseId, "orders")
      assert.deepStrictEqual(
        orders.map(({ id }) => id),
        [orderId]
      )
      const { received } = yield* until(pharmacyOrder(orderId), ({ taken }) => taken !== null)
      assert.lengthOf(received, 1)
    })
  }),

  checkouts: Effect.fnUntraced(function* (load) {
    const intent = intentId()
    const { email, firstName, lastName } = newPatient()
    const { caseId } = yield* newCase(load, {
      status: "ABANDONED",
      user: { email, firstName, lastName },
      payment: { providerReference: { type: "PAYMENT_INTENT", id: intent } }
    })
    yield* persist(load, sendEvent(succeeded(intent, load.clinic.organizationId)))
    return Effect.gen(function* () {
      // The clinic has a provider, who gets each case that opens.
      const activity = yield* until(activityTypesOf(caseId), (types) => types.includes("CASE_ASSIGNED"))
      assert.deepStrictEqual(activity, ["CASE_CREATED", "PAYMENT_CHANGED", "CASE_OPENED", "CASE_ASSIGNED"])
      assert.lengthOf(yield* paymentsOf(caseId), 1)
    })
  }),

  careTeam: Effect.fnUntraced(function* (load) {
    const { clinic, providerId } = load
    const { caseId } = yield* newCase(load)
    const text = `Text ${randomUUID()}`
    const content = Buffer.from(text).toString("base64")
    const file = { fileName: `${text}.txt`, contentType: "text/plain", content }
    const escalations = [{ type: "support", title: "Cancellation", note: text }]
    const add = { action: "ADD_ESCALATION", escalations }
    yield* persist(load, call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body: add }))
    for (const [path, body] of [
      ["comments", { authorUserId: providerId, text, isRestricted: false, attachments: [] }],
      ["attachments", { uploadedByUserId: providerId, ...file }],
      ["assign", { providerId }],
      ["decisions", decisionBody(providerId, { decisionText: text })]
    ] as const) {
      yield* persist(load, admin("POST", `/cases/${caseId}/${path}`, body))
    }
    return Effect.gen(function* () {
      for (const [list, field, value] of [
        ["escalations", "note", text],
        ["comments", "text", text],
        ["attachments", "fileName", file.fileName],
        ["decisions", "decisionText", text]
      ] as const) {
        const rows = yield* listOf(caseId, list)
        assert.deepStrictEqual(
          rows.map((row) => row[field]),
          [value],
          list
        )
      }
      const path = `/api/v1/customer-case-detail?caseId=${caseId}&includeAttachments=true`
      const { caseDetail } = (yield* call("GET", path, { key: clinic.key })).json
      assert.deepStrictEqual([caseDetail.status, caseDetail.attachments[0].content], ["APPROVED", content])
    })
  }),

  appointments: Effect.fnUntraced(function* (load, round) {
    const { clinic, firstDay } = load
    const { email } = yield* newCase(load)
    const start = yield* openSlot(clinic, firstDay)
    yield* persist(load, book(clinic, bookingBody(email, start), randomUUID()))
    const [{ agentEventId, id }] = yield* appointmentsOf(clinic, email)
    let left = [[id, start]]
    if (round % 3 === 1) {
      const later = yield* openSlot(clinic, firstDay + 10)
      yield* (yield* atSchedulingProvider).reschedule(agentEventId, "invitee", later)
      left = [[id, later]]
    } else if (round % 3 === 2) {
      yield* persist(load, cancel(clinic, { email, appointmentId: id }, randomUUID()))
      left = []
    }
    return Effect.gen(function* () {
      const starts = Effect.map(appointmentsOf(clinic, email), (all: ReadonlyArray<Answer["json"]>) =>
        all.map((each) => [each.id, each.start])
      )
      yield* until(starts, (found) => JSON.stringify(found) === JSON.stringify(left))
      assert.lengthOf(yield* meetingsOf(email), round % 3 === 1 ? 2 : 1)
    })
  }),

  payments: Effect.fnUntraced(function* (load) {
    const metadata = { organizationId: load.clinic.organizationId }
    const providerReference = yield* paymentIntent({ ...paid, capture_method: "manual", metadata })
    const payment = { amount: 10, currency: "USD", providerReference }
    const { caseId } = yield* newCase(load, { payment })
    const [{ paymentId }] = yield* until(paymentsOf(caseId), ([found]) => found?.status === "AUTHORIZED")
    for (const operation of ["capture", "refund"]) {
      yield* persist(load, admin("POST", `/payments/${paymentId}/${operation}`, {}))
    }
    return Effect.gen(function* () {
      const payments = yield* paymentsOf(caseId)
      assert.deepStrictEqual(
        payments.map(({ status }) => status),
        ["REFUND"]
      )
      const { id } = providerReference
      const [intent, refunds] = yield* askStripe((client) =>
        Promise.all([client.paymentIntents.retrieve(id), client.refunds.list({ payment_intent: id })])
      )
      assert.deepStrictEqual([intent.amount_received, refunds.data.map(({ amount }) => amount)], [1000, [1000]])
    })
  }),

  patients: Effect.fnUntraced(function* (load) {
    const { key } = load.clinic
    const { email: currentEmail } = yield* newCase(load)
    const { email } = newPatient()
    yield* persist(load, changeUser(key, "UPDATE_EMAIL", { currentEmail, newEmail: email }))
    yield* persist(load, sendCode(key, { email }))
    const code = yield* codeSentTo(email)
    const { refreshToken } = yield* persist(load, verifyCode(key, { email, code }))
    return Effect.gen(function* () {
      const found = yield* Effect.forEach([currentEmail, email], (each) => checkUser(key, `email=${each}`))
      assert.deepStrictEqual(
        found.map(({ json }) => json.success),
        [false, true]
      )
      assert.lengthOf(yield* codesSentTo(email), 1)
      assert.strictEqual((yield* refresh(key, refreshToken)).status, 200)
    })
  })
}

/** Uses a clinic until it is over, by a caller of each kind. A caller ends when it is answered otherwise than it should be. */
export const useClinic = (load: ClinicLoad, kindsOfCallers: ReadonlyArray<Kind>, isOver: () => boolean) =>
  Effect.forEach(
    kindsOfCallers,
    (kind) =>
      Effect.gen(function* () {
        for (let round = 0; !isOver(); round += 1) {
          load.checks[kind].push(yield* callers[kind](load, round))
          // Services and callers are one process: time for the others.
          yield* Effect.sleep("2 seconds")
        }
      }).pipe(Effect.catchCause((cause) => Effect.sync(() => load.failures.push(`${kind}: ${Cause.pretty(cause)}`)))),
    { concurrency: "unbounded", discard: true }
  )

/** Waits until each caller did something after this. */
export const untilUsed = ({ checks, failures }: ClinicLoad) =>
  Effect.suspend(() => {
    const before = Record.map(checks, ({ length }) => length)
    return until(
      Effect.sync(() => failures.length > 0 || kinds.every((kind) => checks[kind].length > before[kind] + 1)),
      (isUsed) => isUsed
    ).pipe(Effect.retry({ times: 2 }))
  })

/** Fails unless everything that the callers did is there, and there once. */
export const checkLoad = ({ checks }: ClinicLoad) =>
  Effect.forEach(
    kinds.flatMap((kind) => checks[kind].map((check) => ({ check, kind }))),
    ({ check, kind }) => Effect.catchCause(check, (cause) => Effect.die(new Error(`${kind}: ${Cause.pretty(cause)}`))),
    { concurrency: 4, discard: true }
  )
