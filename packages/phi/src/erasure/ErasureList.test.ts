import { randomUUID } from "node:crypto"
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { OrganizationId, UserId } from "@care/domain/ids"
import { isUnavailable } from "@care/service-kit"
import { layerTestDatabase, temporaryFolder } from "@care/service-kit/testing"
import { assert, it, layer } from "@effect/vitest"
import { Cause, DateTime, Effect, Exit, Layer } from "effect"
import { makePatientKeys } from "../patientKeys/PatientKeys.ts"
import { layerTestCipher } from "../testing/layerTestCipher.ts"
import { ErasureList } from "./ErasureList.ts"
import { makeEraseListed } from "./makeEraseListed.ts"
import type { PatientRef } from "./PatientRecords.ts"

const newPatient = (organizationId = OrganizationId.make(randomUUID())): PatientRef => ({
  organizationId,
  userId: UserId.make(randomUUID())
})

const listIn = (folder: string) => Effect.provide(ErasureList, Layer.fresh(ErasureList.layerIn(folder)))

it.live("the list has each patient once, whichever process added them, and skips other files", () =>
  Effect.gen(function* () {
    const folder = join(yield* temporaryFolder(), "erasures")
    const [first, second] = [yield* listIn(folder), yield* listIn(folder)]
    const patients = [newPatient(), newPatient(), newPatient()]
    const add = Effect.forEach(
      [first, second],
      (list) => Effect.forEach(patients, list.add, { concurrency: "unbounded" }),
      { concurrency: "unbounded" }
    )
    yield* add
    for (const other of ["lost+found", ".nfs0001", `${randomUUID()}`]) writeFileSync(join(folder, other), "")
    assert.sameDeepMembers([...(yield* (yield* listIn(folder)).all)], patients)
    assert.lengthOf(readdirSync(folder), 6)
  }).pipe(Effect.scoped)
)

it.live("an erasure that cannot be listed is not done: the request is answered 503, and succeeds later", () =>
  Effect.gen(function* () {
    const folder = join(yield* temporaryFolder(), "erasures")
    const list = yield* listIn(folder)
    const patient = newPatient()
    rmSync(folder, { recursive: true })
    const exit = yield* Effect.exit(list.add(patient))
    assert.isTrue(Exit.isFailure(exit) && isUnavailable(Cause.squash(exit.cause)))
    mkdirSync(folder)
    yield* list.add(patient)
    assert.deepStrictEqual(yield* list.all, [patient])
  }).pipe(Effect.scoped)
)

layer(Layer.merge(layerTestDatabase("cases"), layerTestCipher), { excludeTestServices: true })(
  "a service that starts",
  (it) => {
    it.effect(
      "erases the listed patients whose keys a restored database has, or who come back later, and no others",
      () =>
        Effect.gen(function* () {
          const keys = yield* makePatientKeys
          const list = yield* listIn(yield* temporaryFolder())
          const [restored, unknown, erased, other] = [newPatient(), newPatient(), newPatient(), newPatient()]
          const sameOrganization = newPatient(restored.organizationId)
          for (const { organizationId, userId } of [restored, erased, other, sameOrganization]) {
            yield* keys.of(organizationId, userId)
          }
          const destroy = ({ organizationId, userId }: PatientRef) =>
            Effect.flatMap(DateTime.nowAsDate, (now) => keys.destroy(organizationId, userId, now))
          yield* destroy(erased)
          for (const patient of [restored, unknown, erased]) yield* list.add(patient)
          const erasures: Array<PatientRef> = []
          const erase = (patient: PatientRef) =>
            Effect.andThen(
              destroy(patient),
              Effect.sync(() => void erasures.push(patient))
            )
          const eraseListed = yield* makeEraseListed(erase).pipe(Effect.provideService(ErasureList, list))
          yield* eraseListed
          assert.sameDeepMembers(erasures, [restored, unknown])
          yield* eraseListed
          assert.lengthOf(erasures, 2)
          const secrets = yield* Effect.forEach(
            [restored, unknown, other, sameOrganization],
            ({ organizationId, userId }) => Effect.map(keys.of(organizationId, userId), ({ secret }) => secret === null)
          )
          assert.deepStrictEqual(secrets, [true, true, false, false])
        }).pipe(Effect.scoped)
    )
  }
)
