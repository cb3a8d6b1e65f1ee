import { randomUUID } from "node:crypto"
import type { CaseStatus } from "@care/domain/cases"
import { OrganizationId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { makePatientKeys } from "@care/phi"
import { whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { readPersonSnapshot } from "../../../test/personSnapshot.ts"
import { layerStoredCases, newCase } from "../../../test/storedCases.ts"
import { Cases } from "../../case/lifecycle/Cases.ts"
import { NewCases } from "../../intake/NewCases.ts"
import { InactivePatients } from "./InactivePatients.ts"

const TestLayer = Layer.merge(InactivePatients.layer, NewCases.layer).pipe(
  Layer.provide(layerIdleJobs),
  Layer.provideMerge(layerStoredCases)
)

const makePatient = Effect.sync(() => {
  const organizationId = OrganizationId.make(randomUUID())
  const patient = readPersonSnapshot(organizationId, randomUUID())
  return { organizationId, patient, userId: patient.person.id }
})
type Patient = Effect.Success<typeof makePatient>

const create = Effect.fnUntraced(function* (
  { organizationId, patient }: Patient,
  { isNewPatient = false, status = "OPEN" }: { readonly isNewPatient?: boolean; readonly status?: CaseStatus } = {}
) {
  const { email, firstName, lastName } = patient.person
  const row = newCase({ organizationId, patient, isNewPatient, status, isSole: false })
  yield* (yield* NewCases).insert(row, {
    details: { email, firstName, lastName },
    enrollment: { isIncomplete: false, isFresh: false }
  })
  return row.id
})

/** How an attempt ended: `done`, or what it was refused with. */
const outcome = <A, R>(attempt: Effect.Effect<A, { readonly _tag: string }, R>) =>
  Effect.match(attempt, { onFailure: ({ _tag }) => _tag, onSuccess: () => "done" })

const erase = ({ organizationId, userId }: Patient) =>
  outcome(Effect.flatMap(InactivePatients, (patients) => patients.erase({ organizationId, userId })))

const isErased = ({ organizationId, userId }: Patient) =>
  Effect.flatMap(makePatientKeys, (keys) => keys.isErased(organizationId, userId))

const decisions = ({ organizationId }: Patient) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT FROM jobs WHERE queue_name = 'patient-erasure-decided' AND organization_id = ${organizationId}`
  )

layer(TestLayer, { excludeTestServices: true })("a patient without an active case", (it) => {
  it.effect("is erased once; a patient whose active case is stored in parallel is not", () =>
    Effect.gen(function* () {
      for (const isNewPatient of [true, false]) {
        const patient = yield* makePatient
        if (!isNewPatient) yield* create(patient, { status: "ABANDONED" })
        const [, refused] = yield* whileHeld(create(patient, { isNewPatient }), [erase(patient)])
        assert.deepStrictEqual(refused, ["PatientHasActiveCase"])
        assert.isFalse(yield* isErased(patient))
        assert.lengthOf(yield* decisions(patient), 0)
      }
      const patient = yield* makePatient
      yield* create(patient, { status: "ABANDONED" })
      assert.deepStrictEqual([yield* erase(patient), yield* erase(patient)], ["done", "done"])
      assert.isTrue(yield* isErased(patient))
      assert.lengthOf(yield* decisions(patient), 1)
    })
  )

  it.effect("is not erased when a case of theirs is opened in parallel", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const patient = yield* makePatient
      const id = yield* create(patient, { status: "ABANDONED" })
      const opened = cases.move(patient.organizationId, id, { name: "open" })
      const [, refused] = yield* whileHeld(opened, [erase(patient)])
      assert.deepStrictEqual(refused, ["PatientHasActiveCase"])
      assert.isFalse(yield* isErased(patient))
    })
  )

  it.effect("gets no case during the erasure, whether or not there was one before", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const isNewPatient of [true, false]) {
        const patient = yield* makePatient
        if (!isNewPatient) yield* create(patient, { status: "ABANDONED" })
        const [erased, [created]] = yield* whileHeld(erase(patient), [outcome(create(patient, { isNewPatient }))])
        assert.deepStrictEqual([erased, created], ["done", "PatientErased"])
        const active = yield* sql`SELECT FROM cases WHERE user_id = ${patient.userId} AND status = 'OPEN'`
        assert.lengthOf(active, 0)
      }
    })
  )
})
