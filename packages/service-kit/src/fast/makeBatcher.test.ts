import { OrganizationId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { RequestId } from "../http/RequestId.ts"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { plainly } from "../testing/plainly.ts"
import { until } from "../testing/until.ts"
import { type Sandbox, TestOrganization } from "../time/Time.ts"
import { makeBatcher } from "./makeBatcher.ts"

layer(layerTestDatabase("cases"), { excludeTestServices: true })("makeBatcher", (it) => {
  /** Makes a batcher that doubles numbers, except 13, and does not answer before `answer`. `calls` records its calls. */
  const doubling = Effect.gen(function* () {
    const answer = yield* Deferred.make<void>()
    const calls: Array<{ readonly numbers: ReadonlyArray<number>; readonly requestId: string }> = []
    const ask = (yield* makeBatcher)(
      Effect.fnUntraced(function* (numbers: ReadonlyArray<number>) {
        calls.push({ numbers, requestId: yield* RequestId })
        yield* Deferred.await(answer)
        if (numbers.includes(13)) return yield* Effect.die(new Error("13"))
        return numbers.map((number) => 2 * number)
      }),
      { concurrency: 1, maxBatchSize: 3 }
    )
    const begin = (number: number) =>
      ask(number).pipe(
        Effect.provideService(RequestId, `request ${number}`),
        Effect.forkChild({ startImmediately: true })
      )
    return {
      answer: Deferred.succeed(answer, undefined),
      batches: () => calls.map(({ numbers }) => numbers),
      begin,
      calls,
      firstCall: until(
        Effect.sync(() => calls.length),
        (count) => count > 0
      )
    }
  })

  it.effect(
    "batches the questions of one turn and those that come during a call, up to the maximum, and answers each",
    () =>
      Effect.gen(function* () {
        const { answer, begin, calls, firstCall } = yield* doubling
        const first = yield* Effect.forEach([1, 2], begin)
        yield* firstCall
        const others = yield* Effect.forEach([3, 4, 5, 6], begin)
        yield* answer
        assert.deepStrictEqual(yield* Effect.forEach([...first, ...others], Fiber.join), [2, 4, 6, 8, 10, 12])
        assert.deepStrictEqual(calls, [
          { numbers: [1, 2], requestId: "request 1" },
          { numbers: [3, 4, 5], requestId: "request 3" },
          { numbers: [6], requestId: "request 6" }
        ])
      })
  )

  it.effect(
    "asks for a live organization, for each sandbox, and for the time before and after its reset in calls apart",
    () =>
      Effect.gen(function* () {
        const calls: Array<{ readonly numbers: ReadonlyArray<number>; readonly sandbox: Sandbox | undefined }> = []
        const ask = (yield* makeBatcher)(
          Effect.fnUntraced(function* (numbers: ReadonlyArray<number>) {
            calls.push({ numbers, sandbox: yield* TestOrganization })
            return numbers
          }),
          { concurrency: 1, maxBatchSize: 2 }
        )
        const one = OrganizationId.make("11111111-1111-4111-8111-111111111111")
        const other = OrganizationId.make("22222222-2222-4222-8222-222222222222")
        const sandbox = { organizationId: one, aheadMillis: 1000, resets: 0 }
        const [isReset, second] = [
          { ...sandbox, resets: 1 },
          { ...sandbox, organizationId: other }
        ]
        const questions = [sandbox, undefined, undefined, undefined, second, sandbox, isReset].map((test, number) =>
          Effect.provideService(ask(number), TestOrganization, test)
        )
        assert.deepStrictEqual(yield* Effect.all(questions, { concurrency: "unbounded" }), [0, 1, 2, 3, 4, 5, 6])
        assert.deepStrictEqual(calls, [
          { numbers: [0, 5], sandbox },
          { numbers: [1, 2], sandbox: undefined },
          { numbers: [4], sandbox: second },
          { numbers: [6], sandbox: isReset },
          { numbers: [3], sandbox: undefined }
        ])
      })
  )

  it.effect("asks each question alone when a call with several questions failed", () =>
    Effect.gen(function* () {
      const { answer, batches, begin } = yield* doubling
      const fibers = yield* Effect.forEach([2, 13, 4], begin)
      yield* answer
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, true])
      assert.deepStrictEqual(batches(), [[2, 13, 4], [2], [13], [4]])
    })
  )

  it.effect(
    "drops the questions of interrupted fibers, and answers the others, also when the first is interrupted",
    () =>
      Effect.gen(function* () {
        const { answer, batches, begin, firstCall } = yield* doubling
        const [one, two] = yield* Effect.all([begin(1), begin(2)])
        yield* firstCall
        const [three, four] = yield* Effect.all([begin(3), begin(4)])
        yield* Effect.forEach([one, three], Fiber.interrupt)
        yield* answer
        assert.deepStrictEqual([yield* Fiber.join(two), yield* Fiber.join(four)], [4, 8])
        assert.deepStrictEqual(batches(), [[1, 2], [4]])
      })
  )

  it.effect("answers as with a call for each question, as when it is switched off", () =>
    Effect.gen(function* () {
      const calls: Array<number> = []
      const ask = (yield* makeBatcher)(
        (numbers: ReadonlyArray<number>) => {
          calls.push(numbers.length)
          return numbers.includes(13)
            ? Effect.die(new Error("13"))
            : Effect.succeed(numbers.map((number) => (number === 7 ? undefined : 2 * number)))
        },
        { concurrency: 2, maxBatchSize: 4 }
      )
      const run = Effect.runPromiseWith(yield* Effect.context<never>())
      const answersTo = (numbers: ReadonlyArray<number>) =>
        Effect.map(
          Effect.forEach(numbers, (number) => Effect.exit(ask(number)), { concurrency: "unbounded" }),
          (exits) => exits.map(String)
        )
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 14 }), { maxLength: 12 }), async (numbers) => {
            const together = await run(answersTo(numbers))
            calls.length = 0
            assert.deepStrictEqual(await run(plainly("batching", answersTo(numbers))), together)
            assert.deepStrictEqual(
              calls,
              numbers.map(() => 1)
            )
          })
        )
      )
    })
  )

  it.effect("dies inside a transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ask = (yield* makeBatcher)(Effect.succeed<ReadonlyArray<number>>, { concurrency: 1, maxBatchSize: 1 })
      assert.strictEqual(yield* ask(1), 1)
      const exit = yield* Effect.exit(sql.withTransaction(ask(1)))
      assert.include(String(exit), "inside a database transaction")
    })
  )
})
