import { randomUUID } from "node:crypto"
import { type CaseMove, type CaseState, CaseStatus, changesOf, moveApplies, paymentMoveOf } from "@care/domain/cases"
import { PaymentId, type UserId } from "@care/domain/ids"
import type { PaymentSnapshot } from "@care/domain/payments"
import { layerIdleJobs } from "@care/jobs/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  layerStoredCases,
  makeCase,
  makeClinic,
  readActivity,
  readCase,
  storeProviders
} from "../../../test/storedCases.ts"
import { CaseOpenings } from "../lifecycle/CaseOpenings.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { makeAcceptPayment } from "./makeAcceptPayment.ts"

const TestLayer = CaseOpenings.layer.pipe(Layer.provide(layerIdleJobs), Layer.provideMerge(layerStoredCases))

const careNames = ["assign", "start", "approve", "reject", "leaveUndecided", "open", "close", "reopen"] as const

const careMoveOf = (name: (typeof careNames)[number], providerId: UserId): CaseMove => {
  switch (name) {
    case "assign":
      return { name, providerId }
    case "approve":
    case "reject":
    case "leaveUndecided":
      return { name, decisionId: "decided" }
    case "close":
      return { name, archiveNote: "moved to Nevada" }
    default:
      return { name }
  }
}

/** How a case comes to each status. */
const paths: Readonly<Record<CaseStatus, ReadonlyArray<(typeof careNames)[number]>>> = {
  OPEN: [],
  ABANDONED: [],
  ASSIGNED: ["assign"],
  IN_PROGRESS: ["assign", "start"],
  APPROVED: ["assign", "approve"],
  REJECTED: ["assign", "reject"],
  NO_DECISION: ["assign", "leaveUndecided"]
}

const at = new Date(1)
const archiveNote = "Payment intent failed"

const afterPayment = (
  state: CaseState,
  known: PaymentSnapshot["outcome"],
  outcome: PaymentSnapshot["outcome"]
): CaseState => {
  const name = paymentMoveOf(state, known, outcome)
  if (name === undefined) return state
  return { ...state, ...changesOf(name === "paymentFailed" ? { name, archiveNote } : { name }, at) }
}

const afterCare = (state: CaseState, move: CaseMove): CaseState =>
  moveApplies(move.name, state) ? { ...state, ...changesOf(move, at) } : state

const summaryOf = ({ archiveNote, assignedTo, isArchived, status }: CaseState) => ({
  archiveNote,
  assignedTo,
  isArchived,
  status
})

/** The moves of a case, and the indexes of the snapshots of its payment that arrive. */
const Steps = Schema.Array(Schema.Union([Schema.Literals(careNames), Schema.Literals([0, 1, 2, 3])])).check(
  Schema.isMaxLength(30)
)

layer(TestLayer, { excludeTestServices: true })("payments of cases", (it) => {
  const abandoned = Effect.gen(function* () {
    const { organizationId } = yield* makeClinic
    const { id: caseId } = yield* makeCase(organizationId, { status: "ABANDONED", isSole: false })
    const accept = yield* makeAcceptPayment
    const snapshot = {
      organizationId,
      caseId,
      paymentId: PaymentId.make(randomUUID()),
      status: "UNPAID",
      outcome: null,
      version: 1
    } as const
    return {
      organizationId,
      caseId,
      send: (change: Partial<PaymentSnapshot>) => accept({ ...snapshot, ...change }),
      types: Effect.map(readActivity(organizationId, caseId), (all) => all.map(({ type }) => type)),
      state: Effect.map(readCase(organizationId, caseId), ({ isArchived, status }) => ({ isArchived, status }))
    }
  })
  const assignments = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT id FROM jobs WHERE queue_name = 'assignment'`
  )

  it.effect("20 parallel snapshots open the case once, and have it assigned once", () =>
    Effect.gen(function* () {
      const before = (yield* assignments).length
      const { state, send, types } = yield* abandoned
      const paid = send({ status: "PAID", outcome: "SUCCEEDED", version: 2 })
      yield* Effect.all(
        Array.from({ length: 20 }, () => paid),
        { concurrency: "unbounded", discard: true }
      )
      assert.deepStrictEqual(yield* types, ["PAYMENT_CHANGED", "CASE_OPENED"])
      assert.deepStrictEqual(yield* state, { isArchived: false, status: "OPEN" })
      assert.strictEqual((yield* assignments).length, before + 1)
    })
  )

  it.effect("a case that was closed stays closed after later snapshots of its payment", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { caseId, organizationId, state, send } = yield* abandoned
      yield* send({ status: "PAID", outcome: "SUCCEEDED", version: 2 })
      yield* cases.move(organizationId, caseId, { name: "close", archiveNote: null })
      yield* send({ status: "REFUND", outcome: "SUCCEEDED", version: 3 })
      assert.deepStrictEqual(yield* state, { isArchived: true, status: "OPEN" })
    })
  )

  it.effect.prop(
    "whatever is done with a case, a snapshot of its payment does what the table says, late, again and out of order",
    { steps: Steps, isFailing: Schema.Boolean, begin: Schema.Literals(["ABANDONED", "ABANDONED", "OPEN"]) },
    Effect.fnUntraced(function* ({ begin, isFailing, steps }) {
      const cases = yield* Cases
      const accept = yield* makeAcceptPayment
      const { first: provider, organizationId } = yield* makeClinic
      yield* storeProviders(organizationId, [provider])
      const { id: caseId, known } = yield* makeCase(organizationId, { status: begin, isSole: false, isTest: true })
      const snapshots = [
        { status: "UNPAID", outcome: null, version: 1 },
        { status: "UNPAID", outcome: isFailing ? "FAILED" : null, version: 2 },
        { status: "PAID", outcome: "SUCCEEDED", version: 3 },
        { status: "REFUND", outcome: "SUCCEEDED", version: 4 }
      ] as const
      const snapshot = { organizationId, caseId, paymentId: PaymentId.make(randomUUID()) }
      let state: CaseState = known
      let newest: Pick<PaymentSnapshot, "version" | "outcome"> = { version: 0, outcome: null }

      for (const step of steps) {
        if (typeof step === "string") {
          const move = careMoveOf(step, provider)
          yield* Effect.option(cases.move(organizationId, caseId, move))
          state = afterCare(state, move)
        } else {
          const next = snapshots[step]
          yield* accept({ ...snapshot, ...next })
          if (next.version > newest.version) {
            state = afterPayment(state, newest.outcome, next.outcome)
            newest = next
          }
        }
        assert.deepStrictEqual(summaryOf(yield* readCase(organizationId, caseId)), summaryOf(state))
      }
    }),
    { arbitrary: { runs: 40, size: 30 } }
  )

  for (const outcome of ["SUCCEEDED", "FAILED"] as const) {
    for (const status of CaseStatus.literals) {
      it.effect(`a case that is ${status}: a move in parallel with a payment that has ${outcome} is not lost`, () =>
        Effect.gen(function* () {
          const cases = yield* Cases
          const accept = yield* makeAcceptPayment
          const { first: provider, organizationId } = yield* makeClinic
          yield* storeProviders(organizationId, [provider])
          for (const name of careNames) {
            const begin = status === "ABANDONED" ? status : "OPEN"
            const { id: caseId } = yield* makeCase(organizationId, { status: begin, isSole: false, isTest: true })
            const act = (step: typeof name) => cases.move(organizationId, caseId, careMoveOf(step, provider))
            yield* Effect.forEach([...paths[status], ...(name === "reopen" ? ["close" as const] : [])], act)
            const before = yield* readCase(organizationId, caseId)
            const paymentId = PaymentId.make(randomUUID())
            const next = accept({ organizationId, caseId, paymentId, status: "UNPAID", outcome, version: 2 })
            yield* Effect.all([next, Effect.option(act(name))], { concurrency: 2 })
            const move = careMoveOf(name, provider)
            const ends = [
              afterCare(afterPayment(before, null, outcome), move),
              afterPayment(afterCare(before, move), null, outcome)
            ]
            assert.deepInclude(ends.map(summaryOf), summaryOf(yield* readCase(organizationId, caseId)), name)
          }
        })
      )
    }
  }

  it.effect("nothing is stored of a payment of another organization's case", () =>
    Effect.gen(function* () {
      const { caseId, state, types } = yield* abandoned
      const { organizationId } = yield* makeClinic
      const accept = yield* makeAcceptPayment
      const sql = yield* SqlClient.SqlClient
      const paymentId = PaymentId.make(randomUUID())
      const snapshot = { organizationId, caseId, paymentId, status: "PAID", outcome: "SUCCEEDED", version: 2 } as const
      yield* Effect.exit(accept(snapshot))
      assert.deepStrictEqual(yield* types, [])
      assert.deepStrictEqual(yield* state, { isArchived: false, status: "ABANDONED" })
      assert.deepStrictEqual(yield* sql`SELECT FROM case_payments WHERE payment_id = ${paymentId}`, [])
    })
  )
})
