import { layerAudit, layerAuditApi, makeAuditGauges } from "@care/audit"
import { peers, type ServiceName } from "@care/domain/peers"
import { layerJobs, layerJobsApi, makeJobGauges } from "@care/jobs"
import { ErasureList, PhiCipher, type SealedTable } from "@care/phi"
import {
  IdentityTokens,
  layerAccess,
  layerDatabase,
  layerDocumentedErrors,
  layerHealth,
  layerHttpClient,
  layerIdentity,
  layerOrganizationMoves,
  layerQuotas,
  layerTelemetry,
  layerTestClocks,
  layerUsageApi,
  type Migrations,
  metricsWith,
  type OldRows,
  ServiceConfig,
  type StoredRows,
  serve,
  type TablesOfIds
} from "@care/service-kit"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { SqlClient } from "effect/sql"
import { layerCleanup } from "./cleanup/layerCleanup.ts"
import { layerPhiKeysApi } from "./keyRotation/layerPhiKeysApi.ts"
import { layerOwnIdsApi } from "./layerOwnIdsApi.ts"
import { layerSecretFingerprints } from "./layerSecretFingerprints.ts"
import { layerTestClocksApi } from "./layerTestClocksApi.ts"
import type { KeptTables } from "./reset/KeptTables.ts"
import { layerResetsApi } from "./reset/layerResetsApi.ts"

/** The stored answers of requests with an idempotency key. */
const storedAnswers: StoredRows = { kind: "KEPT_ANSWERS", table: "idempotency_keys", since: "created_at" }

const layerDatabaseHealth = Layer.unwrap(
  Effect.map(SqlClient.SqlClient, (sql) => {
    const database = sql`SELECT 1`.pipe(
      Effect.timeout("2 seconds"),
      Effect.as(true),
      Effect.catchCause(() => Effect.succeed(false))
    )
    return layerHealth({ database })
  })
)

const layerServiceMetrics = <E, R>(gauges: Gauges<E, R>) =>
  Layer.unwrap(
    Effect.map(Effect.all([makeJobGauges, makeAuditGauges, gauges]), (measures) =>
      HttpRouter.add("GET", "/metrics", metricsWith(measures))
    )
  )

type Gauges<E, R> = Effect.Effect<Effect.Effect<void, unknown>, E, R>

/** The options of a service. `name` is also its PostgreSQL schema. */
interface ServiceOptions<E, R, EG, RG, ED, RD> {
  readonly name: ServiceName
  readonly migrations: Migrations
  readonly routes: Layer.Layer<never, E, R>
  /** Rows that are deleted at some age, in addition to those of every service. */
  readonly oldRows?: ReadonlyArray<OldRows>
  /** Rows with a quota, in addition to stored answers. */
  readonly storedRows?: ReadonlyArray<StoredRows>
  /** The tables of the ids that operators name. */
  readonly tablesOfIds?: TablesOfIds
  /** The tables that a reset of a sandbox keeps, in addition to those of every service. */
  readonly keptTables?: KeptTables
  /** Columns that `PHI_KEY` itself seals, in addition to those of every service. */
  readonly sealedTables?: ReadonlyArray<SealedTable>
  /** Measures of its rows, in addition to those of its jobs and its audit. */
  readonly gauges?: Gauges<EG, RG>
  /** Work that waits for the clock of its organization, in addition to its jobs. */
  readonly otherDueWork?: Layer.Layer<never, ED, RD>
}

/** Provides a service as a process: its routes and its database, with job queues, audit and everything else that all services have. */
export const layerService = <E, R, EG = never, RG = never, ED = never, RD = never>({
  gauges = Effect.succeed(Effect.void),
  keptTables = {},
  migrations,
  name,
  oldRows = [],
  otherDueWork = Layer.empty,
  routes,
  sealedTables = [],
  storedRows = [],
  tablesOfIds = {}
}: ServiceOptions<E, R, EG, RG, ED, RD>) =>
  serve(
    Layer.mergeAll(
      Layer.mergeAll(
        routes,
        layerJobsApi(name),
        layerAuditApi(name),
        layerPhiKeysApi(name, sealedTables),
        layerUsageApi(name),
        layerOwnIdsApi(name, tablesOfIds),
        layerTestClocksApi(name).pipe(Layer.provide(otherDueWork)),
        layerResetsApi(name, keptTables)
      ).pipe(
        Layer.provide([layerAccess, layerDocumentedErrors, layerQuotas([storedAnswers, ...storedRows])]),
        Layer.provide([layerOrganizationMoves, layerTestClocks(tablesOfIds)])
      ),
      layerDatabaseHealth,
      layerServiceMetrics(gauges),
      layerCleanup(oldRows),
      layerSecretFingerprints(name),
      layerIdentity
    ),
    { accessLog: "none" }
  ).pipe(
    Layer.provide([layerJobs, layerAudit(name), ErasureList.layer]),
    Layer.provide([layerDatabase({ schema: name, migrations }), PhiCipher.layer]),
    Layer.provide([layerHttpClient, layerTelemetry]),
    Layer.provideMerge(IdentityTokens.layer),
    Layer.provide(ServiceConfig.layer(name, peers[name].port))
  )
