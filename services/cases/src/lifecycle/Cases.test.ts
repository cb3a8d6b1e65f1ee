import { randomUUID } from "node:crypto"
import { CaseNotFound, CaseStatusConflict } from "@care/domain/cases"
import { CaseId, OrganizationId, type UserId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { after, leastBusyOf, loadOf, type ProviderLoad, stepNames, stepOf } from "../../test/caseModel.ts"
import { layerStoredCases, makeCase, makeClinic, readCase, readLoads, take } from "../../test/storedCases.ts"
import { Cases } from "./Cases.ts"

const Steps = Schema.Array(
  Schema.Struct({
    of: Schema.Literals([0, 1, 2]),
    name: Schema.Literals(stepNames),
    provider: Schema.Literals(["first", "second"])
  })
).check(Schema.isMaxLength(40))

layer(layerStoredCases)("cases", (it) => {
  it.effect.prop(
    "whatever moves follow each other, the database does what the table says, and counts what providers have to do",
    { steps: Steps },
    Effect.fnUntraced(function* ({ steps }) {
      const clinic = yield* makeClinic
      const { first, organizationId, second } = clinic
      const made = [
        yield* makeCase(organizationId),
        yield* makeCase(organizationId, { isTest: true, isSole: false }),
        yield* makeCase(organizationId, { status: "ABANDONED", isSole: false })
      ] as const
      const known = made.map((one) => one.known)
      const loads = new Map<UserId, ProviderLoad>()

      for (const { name, of, provider } of steps) {
        yield* TestClock.adjust("1 second")
        const before = known[of] ?? made[of].known
        const step = stepOf(name, clinic[provider])
        const moved = after(before, step, yield* DateTime.nowAsDate, leastBusyOf([first, second], loads))
        known[of] = moved ?? before

        const was = yield* take(organizationId, made[of].id, step, [first, second])
        assert.deepStrictEqual(yield* readCase(organizationId, made[of].id), known[of])
        if (name !== "assignToLeastBusy") {
          assert.deepStrictEqual(was, moved === undefined ? Option.none() : Option.some(before.status))
        }
        for (const id of [first, second]) {
          const load = loadOf(id, known, loads.get(id))
          if (load !== undefined) loads.set(id, load)
        }
        const expected = [loads.get(first), loads.get(second)].filter((load) => load !== undefined)
        assert.deepStrictEqual(yield* readLoads(organizationId), expected)
      }
    }),
    { arbitrary: { runs: 25, size: 40 } }
  )

  it.effect("what does not move is told by the state that kept it from moving", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { organizationId } = yield* makeClinic
      const { id } = yield* makeCase(organizationId)
      assert.deepStrictEqual(
        yield* Effect.flip(cases.move(organizationId, id, { name: "start" })),
        new CaseStatusConflict({ status: "OPEN", isArchived: false, needed: ["ASSIGNED"] })
      )
      yield* cases.move(organizationId, id, { name: "close", archiveNote: null })
      assert.deepStrictEqual(
        yield* Effect.flip(cases.move(organizationId, id, { name: "open" })),
        new CaseStatusConflict({ status: "OPEN", isArchived: true, needed: ["ASSIGNED", "ABANDONED", "OPEN"] })
      )
      for (const [owner, unknown] of [
        [OrganizationId.make(randomUUID()), id],
        [organizationId, CaseId.make(randomUUID())]
      ] as const) {
        assert.deepStrictEqual(yield* Effect.flip(cases.move(owner, unknown, { name: "reopen" })), new CaseNotFound())
      }
      assert.deepInclude(yield* readCase(organizationId, id), { isArchived: true, status: "OPEN" })
    })
  )

  it.effect("the note of a closed case is not readable in the database", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const sql = yield* SqlClient.SqlClient
      const { organizationId } = yield* makeClinic
      const { id } = yield* makeCase(organizationId)
      yield* cases.move(organizationId, id, { name: "close", archiveNote: "moved to Nevada" })
      assert.strictEqual((yield* readCase(organizationId, id)).archiveNote, "moved to Nevada")
      const row = yield* sql`SELECT * FROM cases WHERE organization_id = ${organizationId} AND id = ${id}`
      assert.include(JSON.stringify(row), id)
      assert.notInclude(JSON.stringify(row), "Nevada")
    })
  )

  it.effect("a move ends with the transaction that it is part of, and so does what it counts", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const sql = yield* SqlClient.SqlClient
      const { first, organizationId } = yield* makeClinic
      const { id, known } = yield* makeCase(organizationId)
      const assign = cases.move(organizationId, id, { name: "assign", providerId: first })
      yield* Effect.flip(sql.withTransaction(Effect.andThen(assign, Effect.fail("no"))))
      assert.deepStrictEqual(yield* readCase(organizationId, id), known)
      assert.deepStrictEqual(yield* readLoads(organizationId), [])
    })
  )

  it.effect("without providers, or for another organization's case, nothing is assigned", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { first, organizationId } = yield* makeClinic
      const { id, known } = yield* makeCase(organizationId)
      yield* cases.assignToLeastBusy(organizationId, id, [])
      yield* cases.assignToLeastBusy(OrganizationId.make(randomUUID()), id, [first])
      assert.deepStrictEqual(yield* readCase(organizationId, id), known)
      yield* cases.assignToLeastBusy(organizationId, id, [first])
      assert.deepInclude(yield* readCase(organizationId, id), { status: "ASSIGNED", assignedTo: first })
    })
  )
})
