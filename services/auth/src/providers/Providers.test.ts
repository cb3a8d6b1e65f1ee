import { OrganizationId, UserId } from "@care/domain/ids"
import { layerTestDatabase, readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Providers } from "./Providers.ts"

const TestLayer = Providers.layer.pipe(Layer.provideMerge(layerTestDatabase("auth")))

layer(TestLayer, { excludeTestServices: true })("providers", (it) => {
  const newUser = () => UserId.make(crypto.randomUUID())

  const makeOrganization = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = OrganizationId.make(crypto.randomUUID())
    yield* sql`INSERT INTO organizations ${sql.insert({ id, name: "o", createdAt: new Date(), updatedAt: new Date() })}`
    return id
  })

  interface NewUser {
    readonly role?: string
    readonly state?: string | null
    readonly licensedStates?: ReadonlyArray<string>
    readonly isActive?: boolean
  }

  /** Users who are alike: their ids. */
  const makeUsers = Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    count: number,
    { isActive = true, licensedStates = [], role = "USER", state = null }: NewUser = {}
  ) {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ id: string }>`
      INSERT INTO users (
        organization_id, id, email, first_name, last_name, role, state, licensed_states, is_active, created_at, updated_at
      )
      SELECT ${organizationId}::uuid, id, id || '@example.com', '', '', ${role}, ${state}, ${licensedStates}::text[],
             ${isActive}::boolean, now(), now()
      FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, ${count}::int)) made
      RETURNING id
    `
    return rows.map(({ id }) => UserId.make(id))
  })

  /** Those who may have a case of a patient, by the patient. */
  const eligible = Effect.fnUntraced(function* (organizationId: OrganizationId, patientIds: ReadonlyArray<UserId>) {
    const groups = yield* (yield* Providers).eligible(organizationId, patientIds)
    return new Map(groups.flatMap(({ patientIds, providerIds }) => patientIds.map((id) => [id, new Set(providerIds)])))
  })

  it.effect("each patient is told the providers who are licensed where they live, those of one state together", () =>
    Effect.gen(function* () {
      const organizationId = yield* makeOrganization
      const provider = { role: "PROVIDER" }
      const anywhere = yield* makeUsers(organizationId, 1, provider)
      const california = yield* makeUsers(organizationId, 2, { ...provider, licensedStates: ["CA", "NV"] })
      const texas = yield* makeUsers(organizationId, 1, { ...provider, licensedStates: ["TX"] })
      yield* makeUsers(organizationId, 1, { ...provider, isActive: false })
      yield* makeUsers(organizationId, 1, { role: "SUPPORT" })
      yield* makeUsers(yield* makeOrganization, 1, provider)
      const patients = []
      for (const state of ["CA", "california ", "TX", "nowhere", null]) {
        patients.push(...(yield* makeUsers(organizationId, 1, { state })))
      }
      patients.push(newUser())

      const found = yield* eligible(organizationId, patients)
      const all = [...anywhere, ...california, ...texas]
      assert.deepStrictEqual(
        patients.map((id) => found.get(id)),
        [[...anywhere, ...california], [...anywhere, ...california], [...anywhere, ...texas], anywhere, all, all].map(
          (ids) => new Set(ids)
        )
      )
      const groups = yield* (yield* Providers).eligible(organizationId, patients)
      assert.lengthOf(groups, 4)
      assert.deepStrictEqual(yield* (yield* Providers).eligible(organizationId, []), [])
    })
  )

  it.effect("of many providers a hundred are told, others for other patients, so that all have their turn", () =>
    Effect.gen(function* () {
      const organizationId = yield* makeOrganization
      const providers = yield* makeUsers(organizationId, 150, { role: "PROVIDER" })
      const told = new Set<UserId>()
      for (let patient = 0; patient < 50; patient += 1) {
        const id = newUser()
        const some = (yield* eligible(organizationId, [id])).get(id)
        assert.strictEqual(some?.size, 100)
        for (const one of some ?? []) told.add(one)
      }
      assert.deepStrictEqual(told, new Set(providers))
    })
  )

  it.effect("asking for a hundred patients costs the same however many others there are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizationId = yield* makeOrganization
      yield* makeUsers(organizationId, 5, { role: "PROVIDER" })
      const patients = yield* makeUsers(organizationId, 100, { state: "CA" })
      // With a plan for the values, and with one that is kept for any.
      const ask = Effect.forEach(["force_custom_plan", "force_generic_plan"], (mode) =>
        readsOf(
          ["users"],
          Effect.andThen(sql`SET LOCAL plan_cache_mode = ${sql.literal(mode)}`, eligible(organizationId, patients))
        )
      )
      yield* makeUsers(organizationId, 1000)
      yield* sql`ANALYZE users`
      const few = Math.max(...(yield* ask))
      yield* makeUsers(organizationId, 5000)
      yield* sql`ANALYZE users`
      const many = Math.max(...(yield* ask))
      assert.isAbove(few, 100)
      assert.isAtMost(many, few)
    })
  )
})
