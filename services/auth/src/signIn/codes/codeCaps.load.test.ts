import type { OrganizationId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { Effect, Logger, Metric, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { another, check, issue, issued, layerCodes, refusal } from "../../../test/codes.ts"
import { enrollPatient, makePatient } from "../../../test/layerAuth.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { OneTimeCodes } from "./OneTimeCodes.ts"

type KnownPatient = Effect.Success<typeof makePatient>

const wrongAttempts = Effect.fnUntraced(function* (
  { organizationId, patient: { email } }: KnownPatient,
  code: string,
  count: number
) {
  for (let attempt = 0; attempt < count; attempt += 1) {
    assert.strictEqual(yield* refusal(organizationId, email, another(code)), "CodeMismatch")
  }
})

const signIn = Effect.fnUntraced(function* ({ organizationId, patient: { email } }: KnownPatient) {
  const code = yield* issued(organizationId, email)
  yield* (yield* OneTimeCodes).use(organizationId, yield* check(organizationId, email, code))
})

// Makes nineteen wrong attempts at four codes, as early as the caps allow, and returns one more code.
const nearlyLocked = Effect.fnUntraced(function* (known: KnownPatient) {
  const { organizationId, patient } = known
  for (const [count, wait] of [
    [5, "30 seconds"],
    [5, "1 minute"],
    [5, "2 minutes"],
    [4, "30 seconds"]
  ] as const) {
    yield* wrongAttempts(known, yield* issued(organizationId, patient.email), count)
    yield* TestClock.adjust(wait)
  }
  return yield* issued(organizationId, patient.email)
})

const isRefusedCode = (organizationId: OrganizationId, identifier: string) =>
  Effect.map(issue(organizationId, identifier), Option.isNone)

layer(layerCodes())("caps on one-time codes", (it) => {
  it.effect("at most 10 codes in any hour, however many are used, and the last of them works", () =>
    Effect.gen(function* () {
      const known = yield* makePatient
      const { organizationId, patient } = known
      for (let count = 0; count < 9; count += 1) {
        yield* signIn(known)
        yield* TestClock.adjust("1 minute")
      }
      const last = yield* issued(organizationId, patient.email)
      yield* TestClock.adjust("1 minute")
      assert.isTrue(yield* isRefusedCode(organizationId, patient.email))
      yield* check(organizationId, patient.email, last)
      yield* TestClock.adjust("2999999 millis")
      assert.isTrue(yield* isRefusedCode(organizationId, patient.phoneNumber))
      yield* TestClock.adjust("1 millis")
      yield* signIn(known)
      assert.isTrue(yield* isRefusedCode(organizationId, patient.email))
    })
  )

  it.effect("at most 30 codes in any day", () =>
    Effect.gen(function* () {
      const known = yield* makePatient
      const { organizationId, patient } = known
      for (let count = 0; count < 30; count += 1) {
        yield* signIn(known)
        yield* TestClock.adjust("10 minutes")
      }
      assert.isTrue(yield* isRefusedCode(organizationId, patient.email))
      yield* TestClock.adjust("19 hours")
      yield* signIn(known)
      assert.isTrue(yield* isRefusedCode(organizationId, patient.email))
    })
  )

  it.effect(
    "20 wrong attempts lock a patient for a day: no code is sent, and the right one is answered as a wrong one",
    () =>
      Effect.gen(function* () {
        const known = yield* makePatient
        const { organizationId, patient } = known
        const { email, phoneNumber } = patient
        const code = yield* nearlyLocked(known)
        yield* check(organizationId, email, code)
        yield* wrongAttempts(known, code, 1)
        assert.strictEqual(yield* refusal(organizationId, email, code), "CodeMismatch")
        assert.strictEqual(yield* refusal(organizationId, phoneNumber, code), "CodeMismatch")
        yield* TestClock.adjust("1 hour")
        assert.isTrue(yield* isRefusedCode(organizationId, email))
        // The first attempts were made 4 minutes before the last, and attempts during the lock do not count.
        yield* TestClock.adjust("82559999 millis")
        assert.isTrue(yield* isRefusedCode(organizationId, email))
        assert.strictEqual(yield* refusal(organizationId, email, "000000"), "CodeMismatch")
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(yield* refusal(organizationId, email, "000000"), "CodeUnavailable")
        yield* signIn(known)
      })
  )

  it.effect("nobody locks the patient of another organization, nor another patient", () =>
    Effect.gen(function* () {
      const attacked = yield* makePatient
      const beside = yield* enrollPatient(attacked.organizationId)
      const other = yield* (yield* Organizations).create("Other clinic")
      const elsewhere = yield* enrollPatient(other.id, attacked.patient)
      yield* wrongAttempts(attacked, yield* nearlyLocked(attacked), 1)
      assert.isTrue(yield* isRefusedCode(attacked.organizationId, attacked.patient.email))
      yield* signIn(beside)
      yield* signIn(elsewhere)
    })
  )

  it.effect("right attempts do not count, and a sign-in does not reset the count of wrong ones", () =>
    Effect.gen(function* () {
      const known = yield* makePatient
      const { organizationId, patient } = known
      const code = yield* nearlyLocked(known)
      for (let attempt = 0; attempt < 3; attempt += 1) yield* check(organizationId, patient.email, code)
      yield* (yield* OneTimeCodes).use(organizationId, yield* check(organizationId, patient.email, code))
      yield* wrongAttempts(known, yield* issued(organizationId, patient.email), 1)
      assert.isTrue(yield* isRefusedCode(organizationId, patient.email))
    })
  )

  it.effect("an email change voids the code, and does not reset the counts of wrong attempts and codes", () =>
    Effect.gen(function* () {
      const known = yield* makePatient
      const { organizationId, patient, userId } = known
      const code = yield* nearlyLocked(known)
      yield* (yield* OneTimeCodes).removeAll(organizationId, userId)
      assert.strictEqual(yield* refusal(organizationId, patient.email, code), "CodeUnavailable")
      yield* wrongAttempts(known, yield* issued(organizationId, patient.email), 1)
      assert.strictEqual(yield* refusal(organizationId, patient.email, code), "CodeMismatch")

      const other = yield* makePatient
      for (let count = 0; count < 10; count += 1) {
        yield* issued(other.organizationId, other.patient.email)
        yield* (yield* OneTimeCodes).removeAll(other.organizationId, other.userId)
      }
      assert.isTrue(yield* isRefusedCode(other.organizationId, other.patient.email))
    })
  )

  it.effect("a reached cap is logged once, by ids alone, and counted", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.map(Logger.formatJson, (line) => lines.push(line))
      yield* Effect.gen(function* () {
        const attacked = yield* makePatient
        const { organizationId, patient } = attacked
        const { email } = patient
        const code = yield* nearlyLocked(attacked)
        assert.deepStrictEqual(lines, [])
        yield* wrongAttempts(attacked, code, 5)
        yield* issue(organizationId, email)
        const other = yield* makePatient
        for (let count = 0; count < 10; count += 1) yield* signIn(other)
        for (let count = 0; count < 5; count += 1) yield* issue(other.organizationId, other.patient.email)

        assert.strictEqual(lines.length, 2)
        const [locked, sent] = lines.map((line) => JSON.parse(line))
        assert.deepInclude(locked, { level: "WARN", annotations: { organizationId, userId: attacked.userId } })
        assert.include(locked.message, "OTP_MAX_WRONG_PER_DAY")
        assert.deepInclude(sent.annotations, { organizationId: other.organizationId, userId: other.userId })
        assert.include(sent.message, "OTP_MAX_PER_HOUR")
        for (const secret of [email, patient.phoneNumber, code, other.patient.email]) {
          assert.notInclude(lines.join("\\n"), secret)
        }
        const counted = (yield* Metric.snapshot).filter(({ id }) => id === "one_time_code_caps_reached_total")
        assert.deepStrictEqual(
          counted.map(({ attributes, state }) => ({ attributes, state })),
          [
            { attributes: { cap: "wrong_attempts_per_day", mode: "live" }, state: { count: 1, incremental: true } },
            { attributes: { cap: "codes_per_hour", mode: "live" }, state: { count: 1, incremental: true } }
          ]
        )
      }).pipe(Effect.provide(Logger.layer([logger])), Effect.provideService(Metric.MetricRegistry, new Map()))
    })
  )
})

layer(layerCodes({ codeMaxWrongPerDay: 1000, codeMaxPerHour: 1000 }))("waits for one-time codes", (it) => {
  it.effect("after each 5 wrong attempts in a row the next code comes later, until a sign-in", () =>
    Effect.gen(function* () {
      const known = yield* makePatient
      const { organizationId, patient } = known
      const waitsOf = Effect.fnUntraced(function* (seconds: number) {
        yield* wrongAttempts(known, yield* issued(organizationId, patient.email), 5)
        yield* TestClock.adjust(seconds * 1000 - 1)
        assert.isTrue(yield* isRefusedCode(organizationId, patient.email), `${seconds} seconds less one millisecond`)
        yield* TestClock.adjust(1)
      })
      for (const seconds of [30, 60, 120, 300, 900, 900]) yield* waitsOf(seconds)
      yield* signIn(known)
      yield* waitsOf(30)
      yield* waitsOf(60)
    })
  )

  it.effect("5 wrong attempts in a row at several codes delay the next code, too", () =>
    Effect.gen(function* () {
      const known = yield* makePatient
      const { organizationId, patient } = known
      for (let count = 0; count < 2; count += 1) {
        yield* wrongAttempts(known, yield* issued(organizationId, patient.email), 4)
        yield* TestClock.adjust("30 seconds")
      }
      yield* wrongAttempts(known, yield* issued(organizationId, patient.email), 2)
      yield* TestClock.adjust("59999 millis")
      assert.isTrue(yield* isRefusedCode(organizationId, patient.email))
      yield* TestClock.adjust("1 millis")
      yield* issued(organizationId, patient.email)
    })
  )
})

layer(layerCodes({ codeMaxAttempts: 1000 }))("wrong one-time codes in parallel", (it) => {
  it.effect("of 200 parallel attempts 20 are counted, and the patient is locked", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { organizationId, patient, userId } = yield* makePatient
      const code = yield* issued(organizationId, patient.email)
      const wrong = refusal(organizationId, patient.email, another(code))
      yield* Effect.replicateEffect(wrong, 200, { concurrency: "unbounded" })
      const rows = yield* sql`
        SELECT attempts, cardinality(wrong_at) AS wrong FROM one_time_codes
        WHERE organization_id = ${organizationId} AND user_id = ${userId}
      `
      assert.deepStrictEqual(rows, [{ attempts: 20, wrong: 20 }])
      assert.strictEqual(yield* refusal(organizationId, patient.email, code), "CodeMismatch")
    })
  )
})
