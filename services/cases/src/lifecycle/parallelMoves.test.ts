import type { CaseId, UserId } from "@care/domain"
import { layerTestCipher, layerTestDatabase } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { after, type KnownCase, type Step, stepNames, stepOf } from "../../test/caseModel.ts"
import { keptAndCounted, makeCase, makeClinic, readCase, readLoads, take } from "../../test/storedCases.ts"
import { Cases } from "./Cases.ts"

const TestLayer = Cases.layer.pipe(Layer.provideMerge(Layer.merge(layerTestDatabase("cases"), layerTestCipher)))

const atOnce = { concurrency: "unbounded" } as const

layer(TestLayer)("moves at once", (it) => {
  for (const path of [[], ["assign"], ["assign", "start"], ["assign", "approve"], ["assign", "close"]] as const) {
    it.effect(
      `of two moves at once one comes after the other: of a case after ${path.join(" and ") || "creation"}`,
      () =>
        Effect.gen(function* () {
          const { first, organizationId, second } = yield* makeClinic
          const at = yield* DateTime.nowAsDate
          const next = (known: KnownCase, step: Step) => after(known, step, at, first)
          const steps = [...stepNames.map((name) => stepOf(name, first)), stepOf("assign", second)]
          const pairs = steps.flatMap((a, index) => steps.slice(index).map((b) => [a, b] as const))
          for (const [a, b] of pairs) {
            const { id, known } = yield* makeCase(organizationId)
            yield* Effect.forEach(path, (name) => take(organizationId, id, stepOf(name, first), []))
            const begun = path.reduce((state, name) => next(state, stepOf(name, first)) ?? state, known)
            assert.deepStrictEqual(yield* readCase(organizationId, id), begun)

            const told = yield* Effect.all(
              [a, b].map((step) => take(organizationId, id, step, [first])),
              atOnce
            )
            const inOrder = (one: Step, other: Step) => {
              const [middle, end] = [next(begun, one), next(next(begun, one) ?? begun, other)]
              return { end: end ?? middle ?? begun, moved: [middle !== undefined, end !== undefined] }
            }
            const [ab, ba] = [inOrder(a, b), inOrder(b, a)]
            const isTold = (moved: ReadonlyArray<boolean | undefined>) =>
              [a, b].every(
                ({ name }, index) =>
                  name === "assignToLeastBusy" || moved[index] === Option.isSome(told[index] ?? Option.none())
              )
            const possible = [ab, { end: ba.end, moved: ba.moved.toReversed() }].filter(({ moved }) => isTold(moved))
            assert.deepInclude(
              possible.map(({ end }) => end),
              yield* readCase(organizationId, id),
              `${a.name} with ${b.name}`
            )
          }
          const { counted, kept } = yield* keptAndCounted(organizationId)
            assert.deepStrictEqual(kept, counted)
        })
    )
  }

  it.effect("moves of many cases at once between two providers lose no count, and no move waits for itself", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { first, organizationId, second } = yield* makeClinic
      const made = yield* Effect.replicateEffect(makeCase(organizationId), 30)
      const assign = (id: CaseId, providerId: UserId) => cases.move(organizationId, id, { name: "assign", providerId })
      const rounds = Array.from({ length: 8 }, (_, round) => made.map(({ id }, index) => ({ id, turn: index + round })))
      for (const round of rounds) {
        yield* Effect.forEach(round, ({ id, turn }) => assign(id, turn % 2 === 0 ? first : second), atOnce)
      }
      yield* Effect.forEach(
        made,
        ({ id }, index) => cases.move(organizationId, id, { name: index % 3 === 0 ? "approve" : "start" }),
        atOnce
      )
      const { counted, kept } = yield* keptAndCounted(organizationId)
      assert.deepStrictEqual(
        counted.map(({ caseCount }) => caseCount),
        [10, 10]
      )
      assert.deepStrictEqual(kept, counted)
    })
  )

  it.effect("cases that are assigned at once are shared evenly, also when some providers had more to do before", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { first, organizationId, second, third } = yield* makeClinic
      for (const providerId of [second, second, third, third, third, third]) {
        const { id } = yield* makeCase(organizationId)
        yield* cases.move(organizationId, id, { name: "assign", providerId })
      }
      const made = yield* Effect.replicateEffect(makeCase(organizationId), 24)
      yield* Effect.forEach(
        made,
        ({ id }) => cases.assignToLeastBusy(organizationId, id, [first, second, third]),
        atOnce
      )
      const loads = yield* readLoads(organizationId)
      assert.deepStrictEqual(
        loads.map(({ caseCount }) => caseCount),
        [10, 10, 10]
      )
    })
  )
})
