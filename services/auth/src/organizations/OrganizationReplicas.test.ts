import { json } from "node:stream/consumers"
import { layerIdleJobs } from "@care/jobs/testing"
import { IdentityTokens } from "@care/service-kit"
import { serveListener } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerBase } from "../../test/layerAuth.ts"
import { OrganizationReplicas } from "./OrganizationReplicas.ts"
import { Organizations } from "./Organizations.ts"

const told: Array<unknown> = []
let status = 204

// Cases, which answers as the test says.
const cases = serveListener(async (request, response) => {
  told.push(await json(request))
  response.writeHead(status).end()
})

const layerCases = Layer.unwrap(
  Effect.map(cases, ({ url }) => ConfigProvider.layerAdd(ConfigProvider.fromUnknown({ CASES_URL: url })))
)

const TestLayer = OrganizationReplicas.layer.pipe(
  Layer.provide([IdentityTokens.layer, layerIdleJobs]),
  Layer.provide(layerCases),
  Layer.provideMerge(layerBase)
)

layer(TestLayer, { excludeTestServices: true })("OrganizationReplicas", (it) => {
  const waiting = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT id FROM jobs WHERE queue_name = 'organization-replication' AND state = 'pending'`
  )

  it.effect("who sends to an organization is told that it is disabled, and enabled, before it is answered", () =>
    Effect.gen(function* () {
      const { update } = yield* OrganizationReplicas
      const { id } = yield* (yield* Organizations).create("Acme")
      yield* update(id, { isDisabled: true })
      assert.deepStrictEqual(told.at(-1), { organizationId: id, version: 2, isDisabled: true })
      yield* update(id, { name: "Renamed" })
      assert.lengthOf(told, 1)
      yield* update(id, { isDisabled: false })
      assert.deepStrictEqual(told.at(-1), { organizationId: id, version: 4, isDisabled: false })
      assert.lengthOf(yield* waiting, 2)
    })
  )

  it.effect("a change that cannot be told is made all the same, and told later as it stands then", () =>
    Effect.gen(function* () {
      const { tell, update } = yield* OrganizationReplicas
      const { id } = yield* (yield* Organizations).create("Acme")
      const before = (yield* waiting).length
      status = 500
      assert.isTrue((yield* update(id, { isDisabled: true })).isDisabled)
      assert.lengthOf(yield* waiting, before + 1)
      status = 204
      yield* tell(id)
      assert.deepStrictEqual(told.at(-1), { organizationId: id, version: 2, isDisabled: true })
    })
  )
})
