import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { newPayment } from "./harness/references.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { changeUser, checkUser, clinicWithPatient } from "./harness/users.ts"

const newCode = () => `CODE-${randomUUID()}`

const times = <A, E, R>(count: number, request: (index: number) => Effect.Effect<A, E, R>) =>
  Effect.forEach(Array(count).keys(), request, { concurrency: 40 })

const counted = (statuses: ReadonlyArray<number>) => {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const exceeded = (limit: number) => ({
  status: 429,
  success: false,
  error: "Rate limit exceeded",
  message: `At most ${limit} requests per 60 seconds are allowed. Try again later.`,
  retryAfter: 60
})

testsOn(Suite.shared, "limits of answers", (it) => {
  const check = (key: string, code: string) => call("GET", `/api/v1/promo-codes?code=${code}`, { key })
  const statusOf = (key: string, code: string) => Effect.map(check(key, code), ({ status }) => status)

  it("an organization gets at most 120 answers a minute about unknown promo codes, over all endpoints together", function* () {
    const [clinic, bystander] = [yield* makeClinic, yield* makeClinic]
    const existingCode = newCode()
    yield* admin("POST", "/promo-codes", { code: existingCode, percentDiscount: 10 })
    const payment = yield* newPayment
    const create = (promoCode?: string) =>
      createCase(clinic, caseBody(clinic, { payment: { ...payment, ...(promoCode !== undefined && { promoCode }) } }))

    assert.deepStrictEqual(counted(yield* times(150, () => statusOf(clinic.key, existingCode))), { 200: 150 })
    assert.strictEqual((yield* create(newCode())).status, 400)
    const guesses = yield* times(200, () => statusOf(clinic.key, newCode()))
    assert.deepStrictEqual(counted(guesses), { 404: 119, 429: 81 })

    const refused = yield* check(clinic.key, existingCode)
    assert.deepStrictEqual([refused.status, refused.json], [429, exceeded(120)])
    assert.strictEqual(refused.headers.get("retry-after"), "60")
    for (const code of [existingCode, newCode()]) {
      yield* expectAnswer(create(code), 429, exceeded(120))
    }
    assert.strictEqual((yield* create()).status, 200)
    assert.strictEqual(yield* statusOf(bystander.key, existingCode), 200)
    assert.strictEqual(yield* statusOf(bystander.key, newCode()), 404)
  })

  it("a known code that may not be used does not count", function* () {
    const clinic = yield* makeClinic
    const off = newCode()
    yield* admin("POST", "/promo-codes", { code: off, percentDiscount: 10, isActive: false })
    const payment = { ...(yield* newPayment), promoCode: off }
    const refused = yield* times(125, () => createCase(clinic, caseBody(clinic, { payment })))
    assert.deepStrictEqual(counted(refused.map(({ status }) => status)), { 400: 125 })
    assert.strictEqual(yield* statusOf(clinic.key, newCode()), 404)
  })

  it("look-ups of the organization's own users are not limited; look-ups of unknown and foreign users share one limit", function* () {
    const [{ clinic, user }, other] = [yield* clinicWithPatient, yield* clinicWithPatient]
    const lookUp = (email: string) => Effect.map(checkUser(clinic.key, `email=${email}`), ({ status }) => status)
    const change = (email: string) =>
      Effect.map(changeUser(clinic.key, "UPDATE_PROFILE", { email, city: "Oakland" }), ({ status }) => status)
    const nobody = () => `${randomUUID()}@example.com`

    assert.deepStrictEqual(counted(yield* times(310, () => lookUp(user.email))), { 200: 310 })
    assert.strictEqual(
      (yield* changeUser(clinic.key, "UPDATE_EMAIL", { currentEmail: user.email, newEmail: user.email })).status,
      400
    )
    assert.deepStrictEqual(counted(yield* times(100, () => change(nobody()))), { 400: 100 })
    assert.deepStrictEqual(counted(yield* times(100, () => lookUp(other.user.email))), { 200: 100 })
    const moved = yield* times(10, () =>
      changeUser(clinic.key, "UPDATE_EMAIL", { currentEmail: user.email, newEmail: other.user.email })
    )
    assert.deepStrictEqual(counted(moved.map(({ status }) => status)), { 400: 10 })
    assert.deepStrictEqual(counted(yield* times(150, () => lookUp(nobody()))), { 200: 90, 429: 60 })

    yield* expectAnswer(checkUser(clinic.key, `email=${other.user.email}`), 429, exceeded(300))
    assert.deepStrictEqual(yield* Effect.all([change(nobody()), change(other.user.email)]), [429, 429])
    assert.deepStrictEqual(yield* Effect.all([lookUp(user.email), change(user.email)]), [200, 200])
    yield* expectAnswer(
      changeUser(clinic.key, "UPDATE_EMAIL", { currentEmail: user.email, newEmail: nobody() }),
      429,
      exceeded(300)
    )
    assert.strictEqual((yield* checkUser(other.clinic.key, `email=${user.email}`)).status, 200)
  })
})
