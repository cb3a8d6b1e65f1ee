import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationNotFound } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { layerTestCipher } from "@care/phi/testing"
import { makeSweep } from "@care/service"
import { Clock, ConfigProvider, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Authorizations } from "../src/casePayments/newPayments/Authorizations.ts"
import { SavedMethods } from "../src/customers/savedMethods/SavedMethods.ts"
import { Directory } from "../src/Directory.ts"
import { EventOwners } from "../src/events/EventOwners.ts"
import { GatewayEvents } from "../src/events/GatewayEvents.ts"
import { PendingOperations } from "../src/payments/operations/PendingOperations.ts"
import { Payments } from "../src/payments/Payments.ts"
import { makeSources } from "../src/reconciliation/makeSources.ts"
import { PaymentIntents } from "../src/stripe/PaymentIntents.ts"
import { layerTestStripe } from "./testStripe.ts"

const layerWith = (layerDirectory: Layer.Layer<Directory>) =>
  Layer.mergeAll(
    EventOwners.layer,
    GatewayEvents.layer,
    PaymentIntents.layer,
    Payments.layer,
    PendingOperations.layer,
    Authorizations.layer
  ).pipe(
    Layer.provideMerge([SavedMethods.layer, layerTestStripe, layerDirectory]),
    Layer.provideMerge(layerIdleJobs),
    Layer.provideMerge([layerAuditedDatabase("payments"), layerTestCipher])
  )

/** Payments with the stand-in for Stripe, without its events. */
export const layerWithoutEvents = layerWith(Layer.mock(Directory, {}))

/** The same in a cell beside others. It has the organizations for which `isOfCell` is true. */
export const layerBesideCells = (isOfCell: (organizationId: OrganizationId) => boolean) =>
  layerWith(
    Layer.mock(Directory, {
      requireOrganization: (organizationId) =>
        isOfCell(organizationId) ? Effect.void : new OrganizationNotFound({ organizationId })
    })
  ).pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ GATEWAY_URL: "http://127.0.0.1:1" }))))

/** Runs an effect at a later time. */
export const after =
  (duration: Duration.Input) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Clock.Clock, (real) => {
      const ahead = Duration.toMillis(Duration.fromInputUnsafe(duration))
      const millis = () => real.currentTimeMillisUnsafe() + ahead
      const clock: Clock.Clock = {
        currentTimeMillisUnsafe: millis,
        currentTimeMillis: Effect.sync(millis),
        currentTimeNanosUnsafe: () => real.currentTimeNanosUnsafe(),
        currentTimeNanos: real.currentTimeNanos,
        monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: real.monotonicTimeNanos,
        sleep: (time) => real.sleep(time)
      }
      return Effect.provideService(effect, Clock.Clock, clock)
    })

/** Makes the next sweep begin with the first page of every source. */
export const forgetCursors = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DELETE FROM reconciliation_cursors`)

/** Sweeps all sources, by default two hours later. */
export const sweep = (later: Duration.Input = "2 hours") =>
  Effect.gen(function* () {
    yield* forgetCursors
    const run = yield* makeSweep(yield* makeSources())
    return yield* run(Duration.minutes(1))
  }).pipe(after(later))
