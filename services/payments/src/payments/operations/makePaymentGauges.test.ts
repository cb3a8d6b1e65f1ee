import { layerAuditedDatabase } from "@care/audit/testing"
import { layerIdleJobs } from "@care/jobs/testing"
import { layerTestCipher } from "@care/phi/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { authorizedPayment } from "../../../test/authorizedPayment.ts"
import { layerTestStripe } from "../../../test/testStripe.ts"
import { Authorizations } from "../../casePayments/newPayments/Authorizations.ts"
import { SavedMethods } from "../../customers/savedMethods/SavedMethods.ts"
import { makePaymentGauges } from "./makePaymentGauges.ts"

const layerHeld = Authorizations.layer.pipe(
  Layer.provideMerge([SavedMethods.layer, layerTestStripe]),
  Layer.provideMerge(layerIdleJobs),
  Layer.provideMerge([layerAuditedDatabase("payments"), layerTestCipher])
)

const measured = Effect.flatMap(makePaymentGauges, (measure) =>
  Effect.andThen(measure, PrometheusMetrics.format()).pipe(
    Effect.provideService(Metric.MetricRegistry, new Map()),
    Effect.map((text) =>
      text
        .split("\n")
        .filter((line) => line.startsWith("payments_"))
        .sort()
    )
  )
)

layer(layerHeld, { excludeTestServices: true })("the gauges of payments", (it) => {
  it.effect(
    "count payments that differ from the gateway, old operations of unknown outcome, and old intents without a payment, of no sandbox",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* authorizedPayment()
        assert.deepStrictEqual(yield* measured, ["payments_differing 0", "payments_unclaimed 0", "payments_unknown 0"])
        yield* sql`UPDATE payments SET differs_from_gateway = true WHERE id = ${id}`
        yield* sql`UPDATE payments SET operation = 'CAPTURE', operation_since = now() - interval '9 minutes' WHERE id = ${id}`
        assert.deepStrictEqual(yield* measured, ["payments_differing 1", "payments_unclaimed 0", "payments_unknown 0"])
        yield* sql`UPDATE payments SET operation_since = now() - interval '11 minutes' WHERE id = ${id}`
        assert.deepStrictEqual(yield* measured, ["payments_differing 1", "payments_unclaimed 0", "payments_unknown 1"])
        yield* sql`UPDATE payment_intents SET unclaimed_since = now() - interval '59 minutes'`
        assert.include(yield* measured, "payments_unclaimed 0")
        yield* sql`UPDATE payment_intents SET unclaimed_since = now() - interval '61 minutes'`
        assert.deepStrictEqual(yield* measured, ["payments_differing 1", "payments_unclaimed 1", "payments_unknown 1"])
        yield* sql`INSERT INTO test_organizations (organization_id) SELECT organization_id FROM payments WHERE id = ${id}`
        assert.deepStrictEqual(yield* measured, ["payments_differing 0", "payments_unclaimed 0", "payments_unknown 0"])
      })
  )
})
