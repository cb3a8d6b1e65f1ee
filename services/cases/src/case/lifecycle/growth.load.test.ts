import { randomUUID } from "node:crypto"
import { OrganizationId, UserId } from "@care/domain/ids"
import { oldest } from "@care/service-kit"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { insertion, layerStoredCases, newCase, storeProviders } from "../../../test/storedCases.ts"
import { makeIntakeRepo } from "../../intake/IntakeRepo.ts"
import { Cases } from "./Cases.ts"

layer(layerStoredCases, { excludeTestServices: true })("cases", (it) => {
  const organizationId = OrganizationId.make(randomUUID())
  const newUser = () => UserId.make(randomUUID())
  const providers = [newUser(), newUser(), newUser()] as const

  /** Cases of the organization, of a patient each: a third waits, a third is a provider's to do, a third is closed. */
  const seed = Effect.fnUntraced(function* (count: number) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      INSERT INTO cases (
        organization_id, id, short_id, user_id, title, status, type, is_test, is_sole, is_archived, assigned_to,
        assigned_at, closed_at, created_at, updated_at
      )
      SELECT ${organizationId}::uuid, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '',
             CASE n % 3 WHEN 0 THEN 'OPEN' ELSE 'ASSIGNED' END, 'ASYNC_TEXT_EMAIL', false, n % 3 < 2, n % 3 = 2,
             CASE n % 3 WHEN 0 THEN NULL ELSE (${providers}::uuid[])[1 + n / 3 % 3] END,
             CASE n % 3 WHEN 0 THEN NULL ELSE now() END, CASE n % 3 WHEN 2 THEN now() END, now(), now()
      FROM generate_series(1, ${count}::int) AS n
    `
    yield* sql`
      INSERT INTO people (
        organization_id, id, version, email, first_name, last_name, role, phone_number, is_active, state, licensed_states,
        created_at, updated_at
      )
      SELECT organization_id, user_id, 1, '', '', '', 'USER', '', true, 'CA', '{}', now(), now() FROM cases
      ON CONFLICT DO NOTHING
    `
    yield* storeProviders(organizationId, providers, ["CA"])
    yield* sql`ANALYZE cases, people`
  })

  /** A case from its creation to its end, with the reads in between. */
  const life = Effect.gen(function* () {
    const cases = yield* Cases
    const intake = yield* makeIntakeRepo
    const created = newCase({ organizationId })
    const { id } = created
    const userId = created.patient.person.id
    yield* intake.insertCase(created, yield* insertion(organizationId, userId))
    yield* cases.find(yield* cases.organizationOf(id), id)
    yield* cases.pageOfWaiting(organizationId, oldest, 10)
    yield* cases.assignToLeastBusy(organizationId, [id])
    yield* cases.move(organizationId, id, { name: "start" })
    assert.isTrue(yield* cases.locksProfile(organizationId, userId))
    yield* cases.move(organizationId, id, { name: "close", archiveNote: null })
  })

  it.effect("the life of a case costs the same however many cases the organization and its providers have", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* seed(1000)
      // With plans for the values, and with one that is kept for any.
      const readsOfLife = Effect.forEach(["force_custom_plan", "force_generic_plan"], (mode) =>
        readsOf(
          ["cases", "people", "provider_loads"],
          Effect.andThen(sql`SET LOCAL plan_cache_mode = ${sql.literal(mode)}`, life)
        )
      ).pipe(Effect.map((reads) => Math.max(...reads)))
      const few = Math.max(...(yield* Effect.replicateEffect(readsOfLife, 3)))
      yield* seed(5000)
      const many = Math.max(...(yield* Effect.replicateEffect(readsOfLife, 3)))
      assert.isAbove(few, 10)
      assert.isAtMost(many, few)
    })
  )
})
