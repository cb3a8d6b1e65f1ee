import { randomUUID } from "node:crypto"
import { CaseId, OrganizationId } from "@care/domain/ids"
import { countLockWaits, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Option, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases, makeCase } from "../../../test/storedCases.ts"
import { makeFindCase } from "./makeFindCase.ts"
import { makeReadingRepo } from "./ReadingRepo.ts"

layer(layerStoredCases, { excludeTestServices: true })("cases that are read in parallel", (it) => {
  const makeCases = Effect.fnUntraced(function* (count: number) {
    const organizationId = OrganizationId.make(randomUUID())
    const created = yield* Effect.forEach(Array.from({ length: count }), () => makeCase(organizationId))
    return { organizationId, ids: created.map(({ id }) => id) }
  })

  const allOf = <A>(calls: ReadonlyArray<Effect.Effect<A>>) => Effect.all(calls, { concurrency: "unbounded" })

  it.effect(
    "are read by two statements of an organization at a time, for sixteen each, and each call gets its own",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const spans: Array<Tracer.NativeSpan> = []
        const tracer = Tracer.make({
          span: (options) => {
            const span = new Tracer.NativeSpan(options)
            spans.push(span)
            return span
          }
        })
        const find = yield* Effect.flatMap(makeReadingRepo, makeFindCase)
        const [one, other] = [yield* makeCases(30), yield* makeCases(3)]
        const unknown = CaseId.make(randomUUID())
        const ofOne = [...one.ids, unknown, ...other.ids, ...one.ids]
        const ofOther = [...one.ids, ...other.ids]
        const isLocked = yield* Deferred.make<void>()
        const locking = sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`LOCK TABLE cases IN ACCESS EXCLUSIVE MODE`
            yield* Deferred.succeed(isLocked, undefined)
            return yield* until(countLockWaits(), (count) => count >= 4)
          })
        )
        const asking = allOf([
          allOf(ofOne.map((id) => find(one.organizationId, id))),
          allOf(ofOther.map((id) => find(other.organizationId, id)))
        ]).pipe(Effect.withTracer(tracer))
        // All calls are made before the first is answered.
        const [atOnce, found] = yield* Effect.all([locking, Effect.andThen(Deferred.await(isLocked), asking)], {
          concurrency: "unbounded"
        })
        assert.strictEqual(atOnce, 4)
        const ids = found.map((cases) => cases.map(Option.map(({ id }) => id)))
        const expected = (ids: ReadonlyArray<CaseId>, own: ReadonlyArray<CaseId>) =>
          ids.map((id) => (own.includes(id) ? Option.some(id) : Option.none()))
        assert.deepStrictEqual(ids, [expected(ofOne, one.ids), expected(ofOther, other.ids)])
        // 64 by sixteen, and 33.
        assert.lengthOf(spans, 4 + 3)
      })
  )

  it.effect("a case that does not open fails for its own call alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const find = yield* Effect.flatMap(makeReadingRepo, makeFindCase)
      const { ids, organizationId } = yield* makeCases(10)
      const [spoiled = assert.fail()] = ids.slice(5)
      yield* sql`
        INSERT INTO comments (organization_id, id, case_id, author_id, text, is_restricted, created_at)
        VALUES (${organizationId}, ${randomUUID()}, ${spoiled}, ${randomUUID()}, 'k1:moved', false, now())
      `
      const exits = yield* allOf(ids.map((id) => Effect.exit(find(organizationId, id))))
      assert.deepStrictEqual(
        exits.map((exit) => Exit.isSuccess(exit) && Option.isSome(exit.value)),
        ids.map((id) => id !== spoiled)
      )
    })
  )
})
