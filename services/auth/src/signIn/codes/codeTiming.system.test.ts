import type { OrganizationId } from "@care/domain/ids"
import { layerJobs } from "@care/jobs"
import { assert, layer } from "@effect/vitest"
import { Clock, Duration, Effect, Layer, Random } from "effect"
import { SqlClient } from "effect/sql"
import { issued, refusal } from "../../../test/codes.ts"
import { enrollPatient, layerBase, layerSettings, makePatient } from "../../../test/layerAuth.ts"
import { addMember, codeFor } from "../../../test/layerStaff.ts"
import { CodeRequests } from "./CodeRequests.ts"
import { OneTimeCodes } from "./OneTimeCodes.ts"

const rounds = 200

// Runs the kinds of work in turns and in random order, so that other load on the machine affects all of them alike.
const timed = Effect.fnUntraced(function* <E, R>(
  kinds: ReadonlyArray<(round: number) => Effect.Effect<unknown, E, R>>
) {
  const clock = yield* Clock.Clock
  const nanos = kinds.map(() => [] as number[])
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of yield* Random.shuffle(kinds.keys())) {
      const start = clock.currentTimeNanosUnsafe()
      yield* kinds[kind]?.(round) ?? Effect.void
      nanos[kind]?.push(Number(clock.currentTimeNanosUnsafe() - start))
    }
  }
  return nanos
})

// The share of all pairs in which the first takes longer: 0.5 when the two cannot be told apart (the statistic of the Mann-Whitney
// test; its standard error here is 0.029). Work that skips a write is at 0.1 or below. Writing one row again and again against thirty
// rows in turn measures 0.41 to 0.48, and less while other tests run.
const assertAlike = (what: string, times: ReadonlyArray<number> = [], others: ReadonlyArray<number> = []) => {
  const longer = times.reduce((sum, time) => sum + others.filter((other) => time > other).length, 0)
  const share = longer / (times.length * others.length)
  assert.isTrue(share > 0.25 && share < 0.75, `${what} took longer in ${share} of all pairs`)
}

/** Counts the rows that an effect inserts or updates, by comparing `rows`, which select `xmin`, before and after. */
const rowsWritten =
  <E, R>(rows: Effect.Effect<ReadonlyArray<object>, E, R>) =>
  <E2, R2>(perform: Effect.Effect<unknown, E2, R2>) =>
    Effect.gen(function* () {
      const before = new Set((yield* rows).map((row) => JSON.stringify(row)))
      yield* perform
      return (yield* rows).filter((row) => !before.has(JSON.stringify(row))).length
    })

const TestLayer = Layer.mergeAll(OneTimeCodes.layer, CodeRequests.layer.pipe(Layer.provide(layerJobs))).pipe(
  Layer.provide(layerSettings({ codeMaxAttempts: 20, codeResendInterval: Duration.hours(1) })),
  Layer.provideMerge(layerBase)
)

layer(TestLayer, { excludeTestServices: true, timeout: "60 seconds" })("timing of one-time codes", (it) => {
  const makeLocked = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const locked = yield* makePatient
    yield* issued(locked.organizationId, locked.patient.email)
    yield* sql`
      UPDATE one_time_codes SET wrong_at = array_fill(now(), ARRAY[20])
      WHERE organization_id = ${locked.organizationId} AND user_id = ${locked.userId}
    `
    return locked
  })

  const attempt = Effect.fnUntraced(function* (organizationId: OrganizationId, email: string, expected: string) {
    assert.strictEqual(yield* refusal(organizationId, email, "no code"), expected)
  })

  it.effect("an attempt for an unknown or a locked patient writes as much as a wrong attempt for a known one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const locked = yield* makeLocked
      const { organizationId, patient } = yield* enrollPatient(locked.organizationId)
      yield* issued(organizationId, patient.email)
      for (const [email, expected] of [
        [patient.email, "CodeMismatch"],
        ["nobody@example.com", "CredentialsInvalid"],
        [locked.patient.email, "CodeMismatch"]
      ] as const) {
        const written = yield* rowsWritten(sql`SELECT user_id AS id, xmin::text AS by FROM one_time_codes`)(
          attempt(organizationId, email, expected)
        )
        assert.strictEqual(written, 1, email)
      }
    })
  )

  it.effect("a dropped request for a code writes as much as a stored one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { ask } = yield* CodeRequests
      const { organizationId, patient } = yield* makePatient
      for (const email of [patient.email, patient.email, "nobody@example.com", "nobody@example.com"]) {
        const written = yield* rowsWritten(sql`SELECT identifier_hash AS id, xmin::text AS by FROM code_requests`)(
          ask(organizationId, email)
        )
        assert.strictEqual(written, 1)
      }
    })
  )

  it.effect("an attempt for an unknown or a locked patient takes as long as a wrong attempt for a known one", () =>
    Effect.gen(function* () {
      const { organizationId, patient } = yield* makeLocked
      // With the 20th wrong attempt a patient is locked: these have no more than 19.
      const open = yield* Effect.forEach(Array.from({ length: 30 }), () => enrollPatient(organizationId))
      for (const { patient } of open) yield* issued(organizationId, patient.email)
      const [known, unknown, locked] = yield* timed([
        (round) => attempt(organizationId, open[round % open.length]?.patient.email ?? "", "CodeMismatch"),
        (round) => attempt(organizationId, `nobody.${round}@example.com`, "CredentialsInvalid"),
        () => attempt(organizationId, patient.email, "CodeMismatch")
      ])
      assertAlike("an attempt for an unknown patient", unknown, known)
      assertAlike("an attempt for a locked patient", locked, known)
    })
  )

  it.effect("a request for a code takes the same time for known and unknown patients, stored or dropped", () =>
    Effect.gen(function* () {
      const { ask } = yield* CodeRequests
      const { organizationId } = yield* makePatient
      const patients = yield* Effect.forEach(Array(rounds).keys(), () => enrollPatient(organizationId))
      const emailOf = (round: number) => patients[round]?.patient.email ?? ""
      const [storedOfKnown, storedOfUnknown] = yield* timed([
        (round) => ask(organizationId, emailOf(round)),
        (round) => ask(organizationId, `nobody.${round}@example.com`)
      ])
      assertAlike("a stored request for a known patient", storedOfKnown, storedOfUnknown)
      const [droppedOfKnown, droppedOfUnknown] = yield* timed([
        (round) => ask(organizationId, emailOf(round)),
        (round) => ask(organizationId, `nobody.${round}@example.com`)
      ])
      assertAlike("a dropped request for a known patient", droppedOfKnown, droppedOfUnknown)
    })
  )

  const attemptOfStaff = (email: string) =>
    Effect.flatMap(OneTimeCodes, ({ checkStaff }) => Effect.flip(checkStaff(email, "no code")))

  const addMembers = (count: number) =>
    Effect.forEach(
      Array(count).keys(),
      Effect.fnUntraced(function* () {
        const member = yield* addMember()
        yield* codeFor(member)
        return member
      })
    )

  it.effect("an attempt for staff writes as much and takes as long whether there is a member or not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const members = yield* addMembers(30)
      const emailOf = (round: number) => members[round % members.length]?.email ?? ""
      const written = rowsWritten(sql`SELECT user_id AS id, xmin::text AS by FROM one_time_codes`)
      // Placeholder rows are taken at random, and one may be taken twice.
      assert.isAtLeast(yield* written(attemptOfStaff(emailOf(0))), 2)
      assert.isAtLeast(yield* written(attemptOfStaff("nobody@example.com")), 2)
      const [known, unknown] = yield* timed([
        (round) => attemptOfStaff(emailOf(round)),
        (round) => attemptOfStaff(`nobody.${round}@example.com`)
      ])
      assertAlike("an attempt for an unknown member", unknown, known)
    })
  )

  it.effect("a request for a code of staff takes the same time for known and unknown emails, stored or dropped", () =>
    Effect.gen(function* () {
      const { askForStaff } = yield* CodeRequests
      const members = yield* addMembers(rounds)
      for (const what of ["stored", "dropped"]) {
        const [known, unknown] = yield* timed([
          (round) => askForStaff(members[round]?.email ?? ""),
          (round) => askForStaff(`nobody.of.staff.${round}@example.com`)
        ])
        assertAlike(`a ${what} request for a known member`, known, unknown)
      }
    })
  )
})
