import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { another, check, issue, issued, layerCodes, refusal } from "../../../test/codes.ts"
import { layerSettings, makePatient } from "../../../test/layerAuth.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { Patients } from "../../people/patients/Patients.ts"
import { OneTimeCodes } from "./OneTimeCodes.ts"

const parallel = { concurrency: "unbounded" } as const

layer(layerCodes())("OneTimeCodes", (it) => {
  it.effect("the right code passes, for the patient it was made for, and is stored only as a keyed hash", () =>
    Effect.gen(function* () {
      const { organizationId, patient, userId } = yield* makePatient
      const code = yield* issued(organizationId, patient.email)
      assert.match(code, /^\d{6}$/)
      assert.strictEqual((yield* check(organizationId, patient.email, code)).receiver.userId, userId)
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ codeHash: string }>`SELECT * FROM one_time_codes WHERE user_id = ${userId}`
      assert.match(row?.codeHash ?? "", /^[0-9a-f]{128}$/)
      // Ids and hashes may have any six digits.
      assert.notInclude(JSON.stringify(row).replaceAll(/[0-9a-f-]{36,}/g, ""), code)
    })
  )

  it.effect("is bound to the organization and to the identifier that it was sent to", () =>
    Effect.gen(function* () {
      const { organizationId, patient, userId } = yield* makePatient
      const other = yield* (yield* Organizations).create("Other clinic")
      const code = yield* issued(organizationId, patient.email)
      assert.strictEqual(yield* refusal(other.id, patient.email, code), "CredentialsInvalid")
      yield* (yield* Patients).enroll({ organizationId: other.id, newUserId: userId, patient })
      assert.strictEqual(yield* refusal(other.id, patient.email, code), "CodeUnavailable")
      assert.strictEqual(yield* refusal(organizationId, patient.phoneNumber, code), "CodeUnavailable")
      yield* check(organizationId, patient.email, code)
    })
  )

  it.effect("nobody gets a code for an identifier that no patient of the organization has", () =>
    Effect.gen(function* () {
      const { patient } = yield* makePatient
      const { id } = yield* (yield* Organizations).create("Other clinic")
      assert.isTrue(Option.isNone(yield* issue(id, patient.email)))
      assert.isTrue(Option.isNone(yield* issue(id, "nobody@example.com")))
      assert.strictEqual(yield* refusal(id, "nobody@example.com", "123456"), "CredentialsInvalid")
    })
  )

  it.effect("lives 5 minutes, and not a millisecond more", () =>
    Effect.gen(function* () {
      const { organizationId, patient } = yield* makePatient
      const code = yield* issued(organizationId, patient.email)
      yield* TestClock.adjust("299999 millis")
      yield* check(organizationId, patient.email, code)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* refusal(organizationId, patient.email, code), "CodeUnavailable")
    })
  )

  it.effect("of 20 parallel wrong attempts 5 are counted, and then the right code is refused", () =>
    Effect.gen(function* () {
      const { organizationId, patient } = yield* makePatient
      const code = yield* issued(organizationId, patient.email)
      const tags = yield* Effect.replicateEffect(refusal(organizationId, patient.email, another(code)), 20, parallel)
      assert.strictEqual(tags.filter((tag) => tag === "CodeMismatch").length, 5)
      assert.strictEqual(tags.filter((tag) => tag === "CodeUnavailable").length, 15)
      assert.strictEqual(yield* refusal(organizationId, patient.email, code), "CodeUnavailable")
    })
  )

  it.effect("one code per 30 seconds; a newer one makes the older void, and has attempts of its own", () =>
    Effect.gen(function* () {
      const { organizationId, patient } = yield* makePatient
      const older = yield* issued(organizationId, patient.email)
      yield* refusal(organizationId, patient.email, another(older))
      yield* TestClock.adjust("29999 millis")
      assert.isTrue(Option.isNone(yield* issue(organizationId, patient.email)))
      yield* TestClock.adjust("1 millis")
      const newer = yield* issued(organizationId, patient.email)
      if (older !== newer) {
        assert.strictEqual(yield* refusal(organizationId, patient.email, older), "CodeMismatch")
      }
      yield* check(organizationId, patient.email, newer)
    })
  )

  it.effect("20 parallel requests make one code", () =>
    Effect.gen(function* () {
      const { organizationId, patient } = yield* makePatient
      const request = Effect.suspend(() => issue(organizationId, patient.email))
      const codes = yield* Effect.replicateEffect(request, 20, parallel)
      assert.strictEqual(codes.filter(Option.isSome).length, 1)
    })
  )

  it.effect("a repeated job gets the same code, until it is used, replaced or too old", () =>
    Effect.gen(function* () {
      const codes = yield* OneTimeCodes
      const { organizationId, patient } = yield* makePatient
      const id = randomUUID()
      const request = { organizationId, identifier: patient.email, requestedAt: yield* DateTime.nowAsDate }
      const first = Option.getOrThrow(yield* codes.issue(id, request))
      yield* refusal(organizationId, patient.email, another(first.code))
      assert.deepStrictEqual(Option.getOrThrow(yield* codes.issue(id, request)), first)
      yield* codes.use(organizationId, yield* check(organizationId, patient.email, first.code))
      assert.isTrue(Option.isNone(yield* codes.issue(id, request)))
      yield* TestClock.adjust("5 minutes")
      assert.isTrue(Option.isNone(yield* codes.issue(randomUUID(), request)))
    })
  )

  it.effect("one of 20 parallel callers uses a code", () =>
    Effect.gen(function* () {
      const codes = yield* OneTimeCodes
      const { organizationId, patient } = yield* makePatient
      const code = yield* issued(organizationId, patient.email)
      const right = yield* check(organizationId, patient.email, code)
      const use = Effect.match(codes.use(organizationId, right), {
        onFailure: ({ _tag }) => _tag,
        onSuccess: () => "used"
      })
      const uses = yield* Effect.replicateEffect(use, 20, parallel)
      assert.deepStrictEqual(uses.toSorted(), [...Array.from({ length: 19 }, () => "CodeUsed"), "used"])
    })
  )
})

layer(layerCodes())("OneTimeCodes: rotation of JWT_SECRET", (it) => {
  const [old, next] = ["o".repeat(64), "n".repeat(64)]
  const through = (...secrets: ReadonlyArray<string>) =>
    Effect.provide(
      Layer.fresh(OneTimeCodes.layer).pipe(
        Layer.provide(layerSettings()),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ JWT_SECRET: secrets.join(",") })))
      )
    )

  it.effect("a code passes in every process that has its secret, first or behind, and in no other", () =>
    Effect.gen(function* () {
      const { organizationId, patient } = yield* makePatient
      const code = yield* issued(organizationId, patient.email).pipe(through(old, next))
      assert.strictEqual(yield* refusal(organizationId, patient.email, code).pipe(through(next)), "CodeMismatch")
      yield* check(organizationId, patient.email, code).pipe(through(next, old))
      yield* check(organizationId, patient.email, code).pipe(through(old))
    })
  )

  it.effect("a code that is sent again by a process with another first secret is the same", () =>
    Effect.gen(function* () {
      const { organizationId, patient } = yield* makePatient
      const id = randomUUID()
      const code = yield* issue(organizationId, patient.email, id).pipe(through(old, next))
      assert.isTrue(Option.isSome(code))
      assert.deepStrictEqual(yield* issue(organizationId, patient.email, id).pipe(through(next, old)), code)
      assert.isTrue(Option.isNone(yield* issue(organizationId, patient.email, id).pipe(through(next))))
    })
  )
})
