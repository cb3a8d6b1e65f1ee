import { randomUUID } from "node:crypto"
import { type CaseId, OrganizationId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { readPersonSnapshot } from "../../../test/personSnapshot.ts"
import { insertion, layerStoredCases, newCase, readCase } from "../../../test/storedCases.ts"
import { makeIntakeRepo } from "../../intake/IntakeRepo.ts"
import { Cases } from "./Cases.ts"

layer(layerStoredCases)("sole cases", (it) => {
  it.effect("a case that is closed is in nobody's way, comes back beside another, and then keeps a third away", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const intake = yield* makeIntakeRepo
      const organizationId = OrganizationId.make(randomUUID())
      const patient = readPersonSnapshot(organizationId, randomUUID())
      const create = Effect.gen(function* () {
        const made = newCase({ organizationId, patient, createdAt: yield* DateTime.nowAsDate })
        yield* intake.insertCase(made, yield* insertion(organizationId, patient.person.id))
        return made.id
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
