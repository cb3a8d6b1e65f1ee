import type { CaseId } from "@care/domain/ids"
import { whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Array as Arr, DateTime, Deferred, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { after, type KnownCase, type Step, stepNames, stepOf } from "../../../test/caseModel.ts"
import { readPersonSnapshot } from "../../../test/personSnapshot.ts"
import {
  compareLoads,
  layerStoredCases,
  makeCase,
  makeClinic,
  readCase,
  readLoads,
  storeProviders,
  takeStep
} from "../../../test/storedCases.ts"
import { makePeopleRepo } from "../people/PeopleRepo.ts"
import { Cases } from "./Cases.ts"

const together = { concurrency: "unbounded" } as const

layer(layerStoredCases)("parallel moves", (it) => {
  for (const path of [[], ["assign"], ["assign", "start"], ["assign", "close"]] as const) {
    it.effect(
      `the second of two parallel moves finds the state after the first: after ${path.join(", ") || "creation"}`,
      () =>
        Effect.gen(function* () {
          const { first, organizationId, second } = yield* makeClinic
          yield* storeProviders(organizationId, [first])
          const at = yield* DateTime.nowAsDate
          const next = (known: KnownCase, step: Step) => after(known, step, at, { active: [first], leastBusy: first })
          const steps = [...stepNames.map((name) => stepOf(name, first)), stepOf("assign", second)]
          const begin = Effect.gen(function* () {
            const { id, known } = yield* makeCase(organizationId)
            yield* Effect.forEach(path, (name) => takeStep(organizationId, id, stepOf(name, first)))
            return { id, begun: path.reduce((state, name) => next(state, stepOf(name, first)) ?? state, known) }
          })
          for (const a of steps) {
            // A case for each of the second moves, all of which wait for the same transaction.
            const races = yield* Effect.forEach(
              steps,
              (b) => Effect.map(begin, (created) => ({ ...created, b })),
              together
            )
            const [, found] = yield* whileHeld(
              Effect.forEach(races, ({ id }) => takeStep(organizationId, id, a)),
              races.map(({ b, id }) => takeStep(organizationId, id, b))
            )
            const stored = yield* Effect.forEach(races, ({ id }) => readCase(organizationId, id), together)
            for (const [index, { b, begun }] of races.entries()) {
              const middle = next(begun, a) ?? begun
              const end = next(middle, b)
              const label = `${a.name}, ${b.name}`
              assert.deepStrictEqual(stored[index], end ?? middle, label)
              if (b.name !== "assignToLeastBusy") {
                assert.deepStrictEqual(
                  found[index],
                  end === undefined ? Option.none() : Option.some(middle.status),
                  label
                )
              }
            }
          }
          const { counted, stored } = yield* compareLoads(organizationId)
          assert.deepStrictEqual(stored, counted)
        })
    )
  }

  it.effect("cases that are assigned in parallel go to different providers", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { first, organizationId, second, third } = yield* makeClinic
      yield* storeProviders(organizationId, [first, second, third])
      for (const before of ["never had a case", "had one each"]) {
        const created = yield* Effect.replicateEffect(makeCase(organizationId), 3)
        const [one, ...others] = created.map(({ id }) => cases.assignToLeastBusy(organizationId, [id]))
        yield* whileHeld(one ?? Effect.void, others)
        const assigned = yield* Effect.forEach(created, ({ id }) => readCase(organizationId, id))
        assert.sameMembers(
          assigned.map(({ assignedTo }) => assignedTo),
          [first, second, third],
          before
        )
      }
      assert.deepStrictEqual(
        (yield* readLoads(organizationId)).map(({ caseCount }) => caseCount),
        [2, 2, 2]
      )
    })
  )

  it.effect("a case does not go to a provider who leaves at the same moment", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { keep } = yield* makePeopleRepo
      const { first, organizationId, second } = yield* makeClinic
      yield* storeProviders(organizationId, [first, second])
      const { id } = yield* makeCase(organizationId)
      const leaves = keep(readPersonSnapshot(organizationId, first, 2, { role: "PROVIDER", isActive: false }))
      yield* whileHeld(leaves, [cases.assignToLeastBusy(organizationId, [id])])
      assert.deepInclude(yield* readCase(organizationId, id), { assignedTo: second })
    })
  )

  it.effect("a move waits for another change of the case, but not for an insert that refers to it", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const sql = yield* SqlClient.SqlClient
      const { first, organizationId } = yield* makeClinic
      yield* storeProviders(organizationId, [first])
      const moves = (id: CaseId) => ({
        assigned: cases.assignToLeastBusy(organizationId, [id]),
        moved: cases.move(organizationId, id, { name: "assign", providerId: first })
      })
      for (const name of ["assigned", "moved"] as const) {
        const { id } = yield* makeCase(organizationId)
        const row = sql`FROM cases WHERE organization_id = ${organizationId} AND id = ${id}`
        const [writes, isWritten] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        // The lock of an insert that refers to the case: an event, a comment or a payment.
        const writing = sql`SELECT id ${row} FOR KEY SHARE`.pipe(
          Effect.andThen(Deferred.succeed(writes, undefined)),
          Effect.andThen(Deferred.await(isWritten)),
          sql.withTransaction
        )
        const writer = yield* Effect.forkChild(writing)
        yield* Deferred.await(writes)
        const changed = sql`UPDATE cases SET updated_at = updated_at WHERE (organization_id, id) = (SELECT organization_id, id ${row})`
        yield* whileHeld(changed, Arr.replicate<Effect.Effect<unknown, unknown>>(moves(id)[name], 4))
        yield* Deferred.succeed(isWritten, undefined)
        yield* Fiber.join(writer)
        assert.deepInclude(yield* readCase(organizationId, id), { assignedTo: first }, name)
      }
    })
  )

  it.effect("cases that two providers exchange in parallel do not deadlock", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const sql = yield* SqlClient.SqlClient
      const { first, organizationId, second } = yield* makeClinic
      const [one, other] = [(yield* makeCase(organizationId)).id, (yield* makeCase(organizationId)).id]
      yield* cases.move(organizationId, one, { name: "assign", providerId: first })
      yield* cases.move(organizationId, other, { name: "assign", providerId: second })
      for (const busy of [first, second]) {
        const lock = sql`
          SELECT FROM provider_loads WHERE organization_id = ${organizationId} AND provider_id = ${busy} FOR UPDATE
        `
        const [a, b] = busy === first ? [second, first] : [first, second]
        yield* whileHeld(lock, [
          cases.move(organizationId, one, { name: "assign", providerId: a }),
          cases.move(organizationId, other, { name: "assign", providerId: b })
        ])
      }
      assert.deepInclude(yield* readCase(organizationId, one), { assignedTo: first })
      const { counted, stored } = yield* compareLoads(organizationId)
      assert.deepStrictEqual(stored, counted)
    })
  )
})
