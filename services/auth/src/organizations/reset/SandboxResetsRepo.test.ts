import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerBase } from "../../../test/layerAuth.ts"
import { ApiKeys } from "../../keys/ApiKeys.ts"
import { Members } from "../../people/members/Members.ts"
import { UserSnapshots } from "../../people/UserSnapshots.ts"
import { Organizations } from "../Organizations.ts"
import { makeSandboxResetsRepo } from "./SandboxResetsRepo.ts"

const TestLayer = Layer.mergeAll(ApiKeys.layer, Members.layer, UserSnapshots.layer).pipe(Layer.provideMerge(layerBase))

layer(TestLayer, { excludeTestServices: true })("SandboxResetsRepo", (it) => {
  it.effect(
    "begins the reset of a sandbox, and none of a live organization, also if it is listed as a sandbox by mistake",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const repo = yield* makeSandboxResetsRepo
        const live = yield* (yield* Organizations).create("Clinic")
        const { organizationId } = yield* (yield* ApiKeys).issue(live.id, { mode: "test" })
        for (const id of [live.id, organizationId]) {
          yield* sql`INSERT INTO test_organizations (organization_id) VALUES (${id}) ON CONFLICT DO NOTHING`
        }
        assert.isTrue(Exit.isFailure(yield* Effect.exit(repo.lock(live.id))))
        assert.isTrue(Exit.isFailure(yield* Effect.exit(repo.begin(live.id))))
        assert.deepStrictEqual(yield* repo.begin(organizationId), { resets: 1, isResetting: true })
        assert.deepStrictEqual(
          yield* sql`SELECT resets, is_resetting FROM test_organizations WHERE organization_id = ${live.id}`,
          [{ resets: 0, isResetting: false }]
        )
      })
  )
})
