import { randomUUID } from "node:crypto"
import { CaseNotFound } from "@care/domain/cases"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { after, leastBusyOf, loadOf, type ProviderLoad, stepNames, stepOf } from "../../../test/caseModel.ts"
import { readPersonSnapshot } from "../../../test/personSnapshot.ts"
import {
  compareLoads,
  layerStoredCases,
  makeCase,
  makeClinic,
  readActivity,
  readCase,
  readLoads,
  storeProviders,
  takeStep
} from "../../../test/storedCases.ts"
import { makePeopleRepo } from "../people/PeopleRepo.ts"
import { Cases } from "./Cases.ts"

const newUser = () => UserId.make(randomUUID())

const Steps = Schema.Array(
  Schema.Struct({
    of: Schema.Literals([0, 1, 2]),
    name: Schema.Literals(stepNames),
    provider: Schema.Literals(["first", "second", "third"])
  })
).check(Schema.isMaxLength(40))

layer(layerStoredCases)("cases", (it) => {
  it.effect.prop(
    "any sequence of moves changes the database as the table says, and keeps the loads of providers",
    { steps: Steps },
    Effect.fnUntraced(function* ({ steps }) {
      const clinic = yield* makeClinic
      const { first, organizationId, second, third } = clinic
      // The third is no provider any more.
      const active = [first, second] as const
      yield* storeProviders(organizationId, active)
      const created = [
        yield* makeCase(organizationId),
        yield* makeCase(organizationId, { isTest: true, isSole: false }),
        yield* makeCase(organizationId, { status: "ABANDONED", isSole: false })
      ] as const
      const known = created.map((item) => item.known)
      const loads = new Map<UserId, ProviderLoad>()

      for (const { name, of, provider } of steps) {
        yield* TestClock.adjust("1 second")
        const before = known[of] ?? created[of].known
        const step = stepOf(name, clinic[provider])
        const leastBusy = leastBusyOf(active, loads)
        const moved = after(before, step, yield* DateTime.nowAsDate, { active, leastBusy })
        known[of] = moved ?? before

        const previousStatus = yield* takeStep(organizationId, created[of].id, step)
        assert.deepStrictEqual(yield* readCase(organizationId, created[of].id), known[of])
        if (name !== "assignToLeastBusy") {
          assert.deepStrictEqual(previousStatus, moved === undefined ? Option.none() : Option.some(before.status))
        }
        for (const id of [first, second, third]) {
          const load = loadOf(id, known, loads.get(id))
          if (load !== undefined) loads.set(id, load)
        }
        const expected = [...loads.values()].sort((a, b) => (a.providerId < b.providerId ? -1 : 1))
        assert.deepStrictEqual(yield* readLoads(organizationId), expected)
      }
    }),
    { arbitrary: { runs: 25, size: 40 } }
  )

  it.effect("a refused move fails with the state that does not allow it", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { organizationId } = yield* makeClinic
      const { id } = yield* makeCase(organizationId)
      const conflict = { _tag: "CaseStatusConflict", status: "OPEN" } as const
      const started = yield* Effect.flip(cases.move(organizationId, id, { name: "start" }))
      assert.deepInclude(started, { ...conflict, isArchived: false, needed: ["ASSIGNED"] })
      yield* cases.move(organizationId, id, { name: "close", archiveNote: null })
      const opened = yield* Effect.flip(cases.move(organizationId, id, { name: "open" }))
      assert.deepInclude(opened, { ...conflict, isArchived: true, needed: ["ASSIGNED", "ABANDONED", "OPEN"] })
      for (const [owner, unknown] of [
        [OrganizationId.make(randomUUID()), id],
        [organizationId, CaseId.make(randomUUID())]
      ] as const) {
        assert.deepStrictEqual(yield* Effect.flip(cases.move(owner, unknown, { name: "reopen" })), new CaseNotFound())
      }
      assert.deepInclude(yield* readCase(organizationId, id), { isArchived: true, status: "OPEN" })
    })
  )

  it.effect("the activity of a case is numbered without gaps in the order of its effect, also in parallel", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { first, organizationId } = yield* makeClinic
      const { id } = yield* makeCase(organizationId)
      const record = cases.record(organizationId, id, { type: "COMMENT_ADDED", details: { commentId: "said" } })
      const assign = cases.move(organizationId, id, { name: "assign", providerId: first })
      const refused = cases.move(organizationId, id, { name: "reopen" })
      const steps = [Effect.ignore(assign), Effect.ignore(refused), Effect.ignore(record)]
      yield* whileHeld(cases.move(organizationId, id, { name: "open" }), [...steps, ...steps, ...steps])
      const all = yield* readActivity(organizationId, id)
      assert.deepStrictEqual(
        all.map(({ sequence }) => sequence),
        [2, 3, 4, 5, 6, 7, 8]
      )
      assert.deepStrictEqual(all.map(({ type }) => type).sort(), [
        ...Array.from({ length: 3 }, () => "CASE_ASSIGNED"),
        "CASE_OPENED",
        ...Array.from({ length: 3 }, () => "COMMENT_ADDED")
      ])
      let status = "OPEN"
      for (const { actor, details, type } of all) {
        assert.deepStrictEqual(actor, { type: "JOB", id: null })
        if (type === "COMMENT_ADDED") assert.deepStrictEqual(details, { commentId: "said" })
        else {
          assert.strictEqual(details["from"], status)
          status = details["to"] ?? ""
        }
      }
      assert.strictEqual(status, (yield* readCase(organizationId, id)).status)
    })
  )

  it.effect("a rollback leaves no number, and neither does a request of another organization", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const sql = yield* SqlClient.SqlClient
      const { organizationId } = yield* makeClinic
      const { id } = yield* makeCase(organizationId)
      const other = OrganizationId.make(randomUUID())
      const close = cases.move(organizationId, id, { name: "close", archiveNote: null })
      yield* Effect.flip(sql.withTransaction(Effect.andThen(close, Effect.fail("no"))))
      const activity = { type: "COMMENT_ADDED", details: { commentId: "said" } } as const
      assert.deepStrictEqual(yield* Effect.flip(cases.record(other, id, activity)), new CaseNotFound())
      yield* close
      const numbers = (yield* readActivity(organizationId, id)).map(({ sequence, type }) => [sequence, type])
      assert.deepStrictEqual(numbers, [[2, "CASE_CLOSED"]])
    })
  )

  it.effect("a change is never older than the one before it, which it may have waited for", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const sql = yield* SqlClient.SqlClient
      const { first, organizationId } = yield* makeClinic
      yield* storeProviders(organizationId, [first])
      const { id } = yield* makeCase(organizationId)
      const later = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { minutes: 1 }))
      yield* sql`UPDATE cases SET updated_at = ${later} WHERE organization_id = ${organizationId} AND id = ${id}`
      yield* cases.assignToLeastBusy(organizationId, [id])
      yield* cases.record(organizationId, id, { type: "COMMENT_ADDED", details: { commentId: "said" } })
      yield* cases.move(organizationId, id, { name: "start" })
      const times = (yield* readActivity(organizationId, id)).map(({ at }) => at)
      assert.deepStrictEqual(times, [later, later, later])
      assert.deepStrictEqual((yield* readCase(organizationId, id)).updatedAt, later)
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

  it.effect("a move is rolled back with its transaction, and so are the loads of providers", () =>
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
      const organizationId = OrganizationId.make(randomUUID())
      const { first, organizationId: other } = yield* makeClinic
      yield* storeProviders(other, [first])
      const { id, known } = yield* makeCase(organizationId)
      assert.deepStrictEqual(yield* cases.assignToLeastBusy(organizationId, [id]), new Set([id]))
      assert.deepStrictEqual(yield* cases.assignToLeastBusy(other, [id]), new Set())
      assert.deepStrictEqual(yield* readCase(organizationId, id), known)
      yield* storeProviders(organizationId, [first])
      assert.deepStrictEqual(yield* cases.assignToLeastBusy(organizationId, [id]), new Set())
      assert.deepInclude(yield* readCase(organizationId, id), { status: "ASSIGNED", assignedTo: first })
    })
  )

  it.effect("a case goes to a provider who is licensed in the state of its patient, as far as both are known", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { keep } = yield* makePeopleRepo
      const [california, texas, anywhere, inactive, support] = Array.from({ length: 5 }, newUser)
      if (!california || !texas || !anywhere || !inactive || !support) return assert.fail("five users")
      const eligible = Effect.fnUntraced(function* (state: string, providers: ReadonlyArray<UserId>) {
        const organizationId = OrganizationId.make(randomUUID())
        yield* storeProviders(organizationId, providers.includes(california) ? [california] : [], ["CA", "NV"])
        yield* storeProviders(organizationId, providers.includes(texas) ? [texas] : [], ["TX"])
        yield* storeProviders(organizationId, providers.includes(anywhere) ? [anywhere] : [])
        yield* keep(readPersonSnapshot(organizationId, inactive, 1, { role: "PROVIDER", isActive: false }))
        yield* keep(readPersonSnapshot(organizationId, support, 1, { role: "SUPPORT" }))
        const { id, userId } = yield* makeCase(organizationId)
        yield* keep({ ...readPersonSnapshot(organizationId, userId), state })
        const unassigned = yield* cases.assignToLeastBusy(organizationId, [id])
        const { assignedTo } = yield* readCase(organizationId, id)
        assert.strictEqual(unassigned.has(id), assignedTo === null)
        return assignedTo
      })
      assert.strictEqual(yield* eligible("CA", [texas, california]), california)
      assert.strictEqual(yield* eligible("TX", [texas, california]), texas)
      assert.strictEqual(yield* eligible("NY", [texas, california, anywhere]), anywhere)
      assert.strictEqual(yield* eligible("", [texas]), texas)
      assert.isNull(yield* eligible("NY", [texas, california]))
      assert.isNull(yield* eligible("", []))
    })
  )

  it.effect("a batch of cases is assigned like the same cases one after the other", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { keep } = yield* makePeopleRepo
      const [california, anywhere, texas] = Array.from({ length: 3 }, newUser).toSorted()
      if (!anywhere || !california || !texas) return assert.fail("three users")
      const aSecond = TestClock.adjust("1 second")
      const states = ["NY", "CA", "CA", "TX", "", "TX", "NY", "CA", "CA", "NY", "TX", "NV", ""]
      const clinic = Effect.gen(function* () {
        const organizationId = OrganizationId.make(randomUUID())
        yield* storeProviders(organizationId, [california], ["CA"])
        yield* storeProviders(organizationId, [texas], ["TX"])
        yield* storeProviders(organizationId, [anywhere], ["NY", "CA", "TX"])
        const created = yield* Effect.forEach(states, (state) =>
          Effect.tap(Effect.andThen(aSecond, makeCase(organizationId)), ({ userId }) =>
            keep({ ...readPersonSnapshot(organizationId, userId), state })
          )
        )
        const assigned = Effect.forEach(created, ({ id }) =>
          Effect.map(readCase(organizationId, id), ({ assignedTo }) => assignedTo)
        )
        return { organizationId, ids: created.map(({ id }) => id), assigned }
      })
      const [sequential, batched] = [yield* clinic, yield* clinic]
      for (const id of sequential.ids) {
        yield* Effect.andThen(aSecond, cases.assignToLeastBusy(sequential.organizationId, [id]))
      }
      const unassigned = yield* cases.assignToLeastBusy(batched.organizationId, batched.ids.toReversed())
      const expected = yield* sequential.assigned
      assert.deepStrictEqual(new Set(expected), new Set([anywhere, california, texas, null]))
      assert.deepStrictEqual(yield* batched.assigned, expected)
      assert.strictEqual(unassigned.size, 1)
      const { counted, stored } = yield* compareLoads(batched.organizationId)
      assert.deepStrictEqual(stored, counted)
    })
  )
})
