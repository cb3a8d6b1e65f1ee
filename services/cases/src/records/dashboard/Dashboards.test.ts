import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId } from "@care/domain/ids"
import { IdentityTokens, layerHttpClient } from "@care/service-kit"
import { layerTestConfig } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { Directory } from "../../case/index.ts"
import { Dashboards } from "./Dashboards.ts"

// Nobody listens where payments should be.
const layerConfig = ConfigProvider.layer(ConfigProvider.fromUnknown({ PAYMENTS_URL: "http://127.0.0.1:1" }))

const TestLayer = Dashboards.layer.pipe(
  Layer.provide(Layer.mock(Directory, { requireOrganization: () => Effect.void })),
  Layer.provide([IdentityTokens.layer, layerHttpClient]),
  Layer.provide([layerTestConfig(), layerConfig]),
  Layer.provideMerge(layerAuditedDatabase("cases"))
)

layer(TestLayer, { excludeTestServices: true })("the dashboard", (it) => {
  it.effect("has no count of payments while payments does not answer, and all others", () =>
    Effect.gen(function* () {
      const { read } = yield* Dashboards
      const dashboard = yield* read(OrganizationId.make(randomUUID()))
      assert.deepInclude(dashboard, { inProgress: 0, ordersInError: 0, paymentsHeld: null })
    })
  )
})
