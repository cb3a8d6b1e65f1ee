import type { CaseId, OrganizationId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases, makeCase, makeClinic, readActivity, readCase } from "../../../test/storedCases.ts"
import { AssignmentJobs } from "../assignment/AssignmentJobs.ts"
import { CaseOpenings } from "./CaseOpenings.ts"
import { Cases } from "./Cases.ts"

const TestLayer = Layer.merge(AssignmentJobs.layer, CaseOpenings.layer).pipe(
  Layer.provide(layerIdleJobs),
  Layer.provideMerge(layerStoredCases)
)

layer(TestLayer, { excludeTestServices: true })("a case that is closed", (it) => {
  const statesOf = (id: CaseId) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ state: string }>`SELECT state FROM jobs WHERE subject = ${id} ORDER BY created_at, state`
    ).pipe(Effect.map((rows) => rows.map(({ state }) => state)))
  const offer = (organizationId: OrganizationId, caseId: CaseId) =>
    Effect.flatMap(AssignmentJobs, ({ offer }) => offer({ organizationId, caseId }))
  const close = (organizationId: OrganizationId, id: CaseId) =>
    Effect.flatMap(Cases, (cases) => cases.move(organizationId, id, { name: "close", archiveNote: null }))

  it.effect("cancels its waiting jobs in the same transaction, and only when it was closed", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const sql = yield* SqlClient.SqlClient
      const { organizationId } = yield* makeClinic
      const [{ id }, other] = [yield* makeCase(organizationId), yield* makeCase(organizationId)]
      for (const caseId of [id, other.id]) yield* offer(organizationId, caseId)
      yield* cases.move(organizationId, id, { name: "open" })
      yield* Effect.flip(cases.move(organizationId, id, { name: "paymentFailed", archiveNote: null }))
      yield* Effect.flip(sql.withTransaction(Effect.andThen(close(organizationId, id), Effect.fail("no"))))
      assert.deepStrictEqual(yield* statesOf(id), ["pending"])
      yield* close(organizationId, id)
      assert.deepStrictEqual([yield* statesOf(id), yield* statesOf(other.id)], [["cancelled"], ["pending"]])
      const abandoned = yield* makeCase(organizationId, { status: "ABANDONED", isSole: false })
      yield* offer(organizationId, abandoned.id)
      yield* cases.move(organizationId, abandoned.id, { name: "paymentFailed", archiveNote: "Payment intent failed" })
      assert.deepStrictEqual(yield* statesOf(abandoned.id), ["cancelled"])
    })
  )

  it.effect("also cancels the jobs that were offered by the move that it waited for", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const openings = yield* CaseOpenings
      const { organizationId } = yield* makeClinic
      const { id } = yield* makeCase(organizationId, { status: "ABANDONED", isSole: false })
      const open = Effect.andThen(cases.move(organizationId, id, { name: "open" }), openings.opened(organizationId, id))
      yield* whileHeld(open, [close(organizationId, id)])
      assert.deepInclude(yield* readCase(organizationId, id), { status: "OPEN", isArchived: true })
      assert.deepStrictEqual(yield* statesOf(id), ["cancelled"])
      const reopen = Effect.andThen(
        cases.move(organizationId, id, { name: "reopen" }),
        openings.opened(organizationId, id)
      )
      const closeAgain = close(organizationId, id)
      yield* whileHeld(reopen, [closeAgain])
      assert.deepStrictEqual(yield* statesOf(id), ["cancelled", "cancelled"])
      yield* whileHeld(reopen, [Effect.ignore(reopen), Effect.ignore(reopen)])
      assert.deepStrictEqual(yield* statesOf(id), ["cancelled", "cancelled", "pending"])
      assert.deepStrictEqual(
        (yield* readActivity(organizationId, id)).map(({ sequence, type }) => [sequence, type]),
        [
          [2, "CASE_OPENED"],
          [3, "CASE_CLOSED"],
          [4, "CASE_REOPENED"],
          [5, "CASE_CLOSED"],
          [6, "CASE_REOPENED"]
        ]
      )
    })
  )
})
