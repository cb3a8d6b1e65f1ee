import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { until } from "../testing/until.ts"
import { layerQuotas } from "./layerQuotas.ts"
import { Quotas } from "./Quotas.ts"

layer(layerTestDatabase("cases"), { excludeTestServices: true })("layerQuotas", (it) => {
  it.effect("who stores as much as they may is known, also while nothing can be counted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [full, refused] = [OrganizationId.make(randomUUID()), OrganizationId.make(randomUUID())]
      yield* sql`
        INSERT INTO stored_amounts (organization_id, kind, amount, recounted_at)
        VALUES (${full}, 'EVENTS', 4, now()), (${refused}, 'EVENTS', 0, to_timestamp(0))
      `
      const context = yield* Layer.build(layerQuotas([{ kind: "EVENTS", table: "no_such_table", since: "stored_at" }]))
      const quotas = Context.get(context, Quotas)
      yield* until(
        Effect.sync(() => quotas.isReached(full, "EVENTS")),
        (isReached) => isReached
      )
      assert.isFalse(quotas.isReached(refused, "EVENTS"))
    }).pipe(
      Effect.scoped,
      Effect.provide([Logger.layer([]), ConfigProvider.layer(ConfigProvider.fromUnknown({ QUOTA_EVENTS: "3" }))])
    )
  )
})
