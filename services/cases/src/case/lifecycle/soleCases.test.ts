import { randomUUID } from "node:crypto"
import { type CaseId, OrganizationId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { readPersonSnapshot } from "../../../test/personSnapshot.ts"
import { insertion, layerStoredCases, newCase, readCase } from "../../../test/storedCases.ts"
import { makeIntakeRepo } from "../../intake/IntakeRepo.ts"
import { Cases } from "./Cases.ts"

layer(layerStoredCases)("sole cases", (it) => {
  it.effect("a closed sole case allows another, can be reopened beside it, and then refuses a third", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const intake = yield* makeIntakeRepo
      const organizationId = OrganizationId.make(randomUUID())
      const patient = readPersonSnapshot(organizationId, randomUUID())
      const create = Effect.gen(function* () {
        const created = newCase({ organizationId, patient, createdAt: yield* DateTime.nowAsDate })
        yield* intake.insertCase(created, yield* insertion(organizationId, patient.person.id))
        return created.id
      })
      const close = (id: CaseId) => cases.move(organizationId, id, { name: "close", archiveNote: null })

      const first = yield* create
      assert.strictEqual((yield* Effect.flip(create))._tag, "ActiveCaseExists")
      yield* close(first)
      const second = yield* create
      yield* cases.move(organizationId, first, { name: "reopen" })
      for (const id of [first, second]) {
        assert.deepInclude(yield* readCase(organizationId, id), { status: "OPEN", isArchived: false })
      }
      yield* close(second)
      assert.strictEqual((yield* Effect.flip(create))._tag, "ActiveCaseExists")
      yield* close(first)
      yield* create
    })
  )
})
