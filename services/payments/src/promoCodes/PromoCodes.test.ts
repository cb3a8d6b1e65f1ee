import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { BundleId, CaseId, OrganizationId, type PromoCodeId } from "@care/domain/ids"
import { type NewPromoCode, promoTermOf } from "@care/domain/payments"
import { until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Array as Arr, Deferred, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Directory } from "../Directory.ts"
import { AdminPromoCodes } from "./AdminPromoCodes.ts"
import { PromoCodes } from "./PromoCodes.ts"

const TestLayer = Layer.mergeAll(PromoCodes.layer, AdminPromoCodes.layer).pipe(
  Layer.provide(
    Layer.succeed(Directory, { requireOrganization: () => Effect.void, findPatientByEmail: () => Effect.succeedNone })
  ),
  Layer.provideMerge(layerAuditedDatabase("payments"))
)

const newCase = () => CaseId.make(randomUUID())
const newBundle = () => BundleId.make(randomUUID())
const newCode = () => `CODE-${randomUUID()}`
const ofNoBundle = (...codes: ReadonlyArray<string>) => codes.map((code) => ({ code, bundleIds: [] }))

layer(TestLayer)("PromoCodes", (it) => {
  const organizationId = OrganizationId.make(randomUUID())
  const create = (promo: Partial<NewPromoCode> = {}) =>
    Effect.flatMap(AdminPromoCodes, (promoCodes) =>
      promoCodes.create({
        code: newCode(),
        organizationId,
        ...(promo.flatDiscount === undefined && { percentDiscount: "10" }),
        ...promo
      })
    )

  const usesOf = Effect.fnUntraced(function* (code: string) {
    const { list } = yield* AdminPromoCodes
    return (yield* list({ limit: 100, code: promoTermOf(code) })).data.map(({ redemptions }) => redemptions)
  })

  const redeem = (caseId: CaseId, codes: ReadonlyArray<string>) =>
    Effect.flatMap(PromoCodes, (promoCodes) => promoCodes.redeem(organizationId, caseId, ofNoBundle(...codes)))
  const release = (caseId: CaseId) =>
    Effect.flatMap(PromoCodes, (promoCodes) => promoCodes.release(organizationId, caseId))
  const check = (code: string, bundleId?: BundleId, ownerId = organizationId) =>
    Effect.flatMap(PromoCodes, (promoCodes) => promoCodes.check(ownerId, code, bundleId))

  it.effect("a use is counted once for each case and code, however often the case repeats it", () =>
    Effect.gen(function* () {
      const { code, id, name } = yield* create({ flatDiscount: "12.5", name: newCode(), maxRedemptions: 1 })
      const caseId = newCase()
      const spellings = [code, ` ${code.toLowerCase()} `, name ?? ""]
      const redeemed = yield* redeem(caseId, spellings)
      assert.deepStrictEqual(
        redeemed,
        spellings.map((code) => ({ promoCodeId: id, code, discount: { flatDiscount: "12.5" } }))
      )
      assert.deepStrictEqual(yield* redeem(caseId, spellings), redeemed)
      assert.deepStrictEqual(yield* usesOf(code), [1])
      assert.strictEqual((yield* Effect.flip(redeem(newCase(), [code]))).code, code)
    })
  )

  it.effect("20 concurrent cases use a code as often as its limit allows", () =>
    Effect.gen(function* () {
      const { code } = yield* create({ maxRedemptions: 5 })
      const outcomes = yield* Effect.all(
        Arr.makeBy(20, () => Effect.isSuccess(redeem(newCase(), [code]))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(outcomes.filter((isRedeemed) => isRedeemed).length, 5)
      assert.deepStrictEqual(yield* usesOf(code), [5])
      assert.deepStrictEqual(yield* check(code), [])
    })
  )

  it.effect("20 concurrent requests of one case are one use, with and without a limit", () =>
    Effect.gen(function* () {
      const codes = [(yield* create({ maxRedemptions: 1 })).code, (yield* create()).code]
      const caseId = newCase()
      const answers = yield* Effect.all(
        Arr.makeBy(20, () => redeem(caseId, codes)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
      for (const code of codes) assert.deepStrictEqual(yield* usesOf(code), [1])
    })
  )

  it.effect("cases that name the same codes in different order do not deadlock", () =>
    Effect.gen(function* () {
      const codes = [(yield* create()).code, (yield* create()).code, (yield* create()).code]
      yield* Effect.all(
        Arr.makeBy(40, (index) => redeem(newCase(), index % 2 === 0 ? codes : codes.toReversed())),
        { concurrency: "unbounded" }
      )
      for (const code of codes) assert.deepStrictEqual(yield* usesOf(code), [40])
    })
  )

  it.effect("waiting for one code locks no later code", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // By id the first one sorts after the second one, which is stored later.
      const [first, second] = yield* Effect.all([create(), create()]).pipe(
        Effect.repeat({ until: ([first, second]) => second.id < first.id })
      )
      const lock = (id: PromoCodeId) => sql`SELECT FROM promo_codes WHERE id = ${id} FOR UPDATE NOWAIT`
      const countWaiting = Effect.andThen(
        sql`SELECT pg_stat_clear_snapshot()`,
        Effect.map(
          sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          ({ length }) => length
        )
      )
      const started = yield* Deferred.make<void>()
      const holder = sql.withTransaction(
        Effect.gen(function* () {
          yield* lock(second.id)
          yield* Deferred.succeed(started, undefined)
          yield* until(countWaiting, (count) => count > 0)
          yield* lock(first.id)
        })
      )
      const waiting = Effect.andThen(Deferred.await(started), redeem(newCase(), [first.code, second.code]))
      yield* Effect.all([holder, waiting], { concurrency: "unbounded" })
      assert.deepStrictEqual([yield* usesOf(first.code), yield* usesOf(second.code)], [[1], [1]])
    })
  )

  it.effect("when one code cannot be used, no other is counted, even if the caller commits", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [good, off, full] = [
        yield* create(),
        yield* create({ isActive: false }),
        yield* create({ maxRedemptions: 1 })
      ]
      yield* redeem(newCase(), [full.code])
      for (const unusable of [off.code, full.code, "no such code"]) {
        const error = yield* sql.withTransaction(Effect.flip(redeem(newCase(), [good.code, unusable])))
        assert.deepStrictEqual(
          [error._tag === "PromoCodeNotFound" && error.code, yield* usesOf(good.code)],
          [unusable, [0]]
        )
      }
      assert.deepStrictEqual([yield* usesOf(off.code), yield* usesOf(full.code)], [[0], [1]])
    })
  )

  it.effect("a rollback of the caller's transaction undoes the use", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { code } = yield* create()
      yield* Effect.flip(sql.withTransaction(Effect.andThen(redeem(newCase(), [code]), Effect.fail("refused"))))
      assert.deepStrictEqual(yield* usesOf(code), [0])
    })
  )

  it.effect("a release removes the uses of one case, once", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* create({ maxRedemptions: 2 }), yield* create()]
      const [released, used] = [newCase(), newCase()]
      yield* redeem(released, [first.code, second.code])
      yield* redeem(used, [first.code])
      yield* Effect.all(
        Arr.makeBy(10, () => release(released)),
        { concurrency: "unbounded" }
      )
      yield* Effect.flatMap(PromoCodes, (promoCodes) => promoCodes.release(OrganizationId.make(randomUUID()), used))
      assert.deepStrictEqual([yield* usesOf(first.code), yield* usesOf(second.code)], [[1], [0]])
      yield* redeem(newCase(), [first.code])
      yield* Effect.flip(redeem(released, [first.code]))
    })
  )

  it.effect("under concurrent uses and releases the count equals the uses", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const codes = [yield* create(), yield* create(), yield* create()]
      const cases = Arr.makeBy(4, newCase)
      const named = codes.map(({ code }) => code)
      yield* Effect.all(
        Arr.makeBy(80, (index) => {
          const caseId = cases[index % 4] ?? assert.fail()
          return index % 3 === 2 ? release(caseId) : redeem(caseId, named.slice(index % 2, 1 + (index % 3)))
        }),
        { concurrency: "unbounded", discard: true }
      )
      for (const { code, id } of codes) {
        const used = yield* sql`
          SELECT case_id FROM promo_redemptions WHERE organization_id = ${organizationId} AND promo_code_id = ${id}
        `
        assert.deepStrictEqual(yield* usesOf(code), [used.length])
      }
    })
  )

  it.effect("isGlobal selects those of no organization, by pages and by code, and none with an organization", () =>
    Effect.gen(function* () {
      const { list } = yield* AdminPromoCodes
      const code = newCode()
      yield* create({ code })
      const globals = [yield* create({ code, organizationId: undefined }), yield* create({ organizationId: undefined })]
      const ids = (query: Partial<Parameters<typeof list>[0]>) =>
        Effect.map(list({ limit: 100, isGlobal: "true", ...query }), ({ data }) => data.map(({ id }) => id))
      assert.includeMembers(
        [...(yield* ids({}))],
        globals.map(({ id }) => id)
      )
      for (const { organizationId: owner } of (yield* list({ limit: 100, isGlobal: "true" })).data) assert.isNull(owner)
      assert.deepStrictEqual(yield* ids({ code: promoTermOf(code) }), [globals[0]?.id])
      assert.deepStrictEqual(yield* ids({ organizationId }), [])
    })
  )

  it.effect(
    "an organization's own code wins over the global one, also when it is inactive; used codes stay valid for their case",
    () =>
      Effect.gen(function* () {
        const code = newCode()
        const global = yield* create({ code, organizationId: undefined, percentDiscount: "5" })
        const earlier = newCase()
        const used = yield* redeem(earlier, [code])
        assert.deepStrictEqual(used[0]?.discount, { percentDiscount: "5" })
        const own = yield* create({ code: newCode(), name: code.toLowerCase(), percentDiscount: "20" })
        assert.deepStrictEqual(yield* check(code), [{ percentDiscount: "20" }])
        assert.deepStrictEqual(yield* check(code, undefined, OrganizationId.make(randomUUID())), [
          { percentDiscount: "5" }
        ])
        assert.deepStrictEqual(yield* redeem(earlier, [code]), used)
        assert.strictEqual((yield* redeem(newCase(), [code]))[0]?.promoCodeId, own.id)
        yield* Effect.flatMap(AdminPromoCodes, ({ change }) => change(own.id, { isActive: false }))
        assert.deepStrictEqual(yield* check(code), [])
        yield* Effect.flip(redeem(newCase(), [code]))
        assert.deepStrictEqual(yield* redeem(earlier, [code]), used)
        assert.strictEqual(used[0]?.promoCodeId, global.id)
      })
  )

  it.effect("another organization's code is unknown", () =>
    Effect.gen(function* () {
      const { code } = yield* create({ organizationId: OrganizationId.make(randomUUID()) })
      assert.deepInclude(yield* Effect.flip(check(code)), { code, isKnown: false })
      assert.strictEqual((yield* Effect.flip(redeem(newCase(), [code]))).code, code)
      assert.deepStrictEqual(yield* usesOf(code), [0])
    })
  )

  it.effect("a code with bundles is valid for any of them, and for nothing else", () =>
    Effect.gen(function* () {
      const promoCodes = yield* PromoCodes
      const [first, second, stranger] = [newBundle(), newBundle(), newBundle()]
      const { code } = yield* create({ bundleIds: [first, second, first] })
      const everything = yield* create()
      assert.deepStrictEqual(yield* check(code, second), [{ percentDiscount: "10" }])
      assert.deepStrictEqual(yield* check(everything.code, stranger), [{ percentDiscount: "10" }])
      for (const bundle of [undefined, stranger]) assert.deepStrictEqual(yield* check(code, bundle), [])
      const redeemFor = (...bundles: ReadonlyArray<ReadonlyArray<BundleId>>) =>
        promoCodes.redeem(
          organizationId,
          newCase(),
          bundles.map((bundleIds) => ({ code, bundleIds }))
        )
      yield* redeemFor([stranger, second])
      yield* Effect.flip(redeemFor([]))
      yield* Effect.flip(redeemFor([first], [stranger]))
      assert.deepStrictEqual(yield* usesOf(code), [1])
    })
  )

  it.effect("a code is valid until it expires, and stays valid for cases that have used it", () =>
    Effect.gen(function* () {
      const { code } = yield* create({ expiresAt: new Date(60_000) })
      const caseId = newCase()
      yield* TestClock.setTime(59_999)
      assert.deepStrictEqual(yield* check(code), [{ percentDiscount: "10" }])
      const redeemed = yield* redeem(caseId, [code])
      yield* TestClock.setTime(60_000)
      assert.deepStrictEqual(yield* check(code), [])
      yield* Effect.flip(redeem(newCase(), [code]))
      assert.deepStrictEqual(yield* redeem(caseId, [code]), redeemed)
    })
  )
})
