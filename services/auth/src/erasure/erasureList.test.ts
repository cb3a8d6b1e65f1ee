import { rmSync } from "node:fs"
import { layerIdleJobs } from "@care/jobs/testing"
import { ErasureList, makePatientKeys, type PatientRef } from "@care/phi"
import { IdentityTokens, isUnavailable } from "@care/service-kit"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Cause, DateTime, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerBase, layerSettings, makePatient } from "../../test/layerAuth.ts"
import { completeList } from "./completeList.ts"
import { PatientErasures } from "./PatientErasures.ts"

const refOf = ({ organizationId, userId }: PatientRef): PatientRef => ({ organizationId, userId })

layer(layerBase, { excludeTestServices: true })("the list of erasures", (it) => {
  const inFolder = <A, E, R>(folder: string, use: Effect.Effect<A, E, R>) =>
    Effect.provide(
      use,
      PatientErasures.layer.pipe(
        Layer.provide([layerSettings(), IdentityTokens.layer, layerIdleJobs]),
        Layer.provideMerge(ErasureList.layerIn(folder)),
        Layer.fresh
      )
    )

  it.effect("has a patient before the job has told the other services, and no erasure is done without it", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder()
      const patient = refOf(yield* makePatient)
      yield* inFolder(
        folder,
        Effect.gen(function* () {
          const { eraseOwn, propagate } = yield* PatientErasures
          const list = yield* ErasureList
          yield* eraseOwn(patient)
          assert.deepStrictEqual(yield* list.all, [])
          // The other services do not answer here.
          yield* Effect.exit(propagate(patient))
          assert.deepStrictEqual(yield* list.all, [patient])
          rmSync(folder, { recursive: true })
          for (const erase of [propagate(patient), PatientErasures.use(({ erase }) => erase(patient.userId, true))]) {
            const exit = yield* Effect.exit(erase)
            assert.isTrue(Exit.isFailure(exit) && isUnavailable(Cause.squash(exit.cause)))
          }
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("is completed from the database at the start, so that an empty one forgets nobody", () =>
    Effect.gen(function* () {
      const keys = yield* makePatientKeys
      const [erased, living] = [refOf(yield* makePatient), refOf(yield* makePatient)]
      yield* keys.of(living.organizationId, living.userId)
      yield* keys.destroy(erased.organizationId, erased.userId, yield* DateTime.nowAsDate)
      yield* inFolder(
        yield* temporaryFolder(),
        Effect.gen(function* () {
          const list = yield* ErasureList
          yield* completeList
          const all = yield* list.all
          assert.deepInclude(all, erased)
          assert.notDeepInclude(all, living)
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("erases a restored patient wholly, and passes over one whom the backup does not have", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { organizationId, userId } = yield* makePatient
      const absent = refOf(yield* makePatient)
      yield* sql`DELETE FROM users WHERE id = ${absent.userId}`
      yield* inFolder(
        yield* temporaryFolder(),
        Effect.gen(function* () {
          const { eraseOwn } = yield* PatientErasures
          yield* eraseOwn({ organizationId, userId })
          yield* eraseOwn(absent)
        })
      )
      const [row] = yield* sql<{ email: string; firstName: string }>`
        SELECT email, first_name FROM users WHERE organization_id = ${organizationId} AND id = ${userId}
      `
      assert.strictEqual(row?.email, `erased-${userId}@erased.invalid`)
      const audited =
        yield* sql`SELECT FROM audit_records WHERE user_id = ${absent.userId} AND action = 'PATIENT_ERASED'`
      assert.lengthOf(audited, 0)
    }).pipe(Effect.scoped)
  )
})
