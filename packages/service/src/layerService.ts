import { layerAudit, layerAuditApi, makeAuditGauges } from "@care/audit"
import { peers, type ServiceName } from "@care/domain/peers"
import { layerJobs, layerJobsApi, makeJobGauges } from "@care/jobs"
import type { SealedTable } from "@care/phi"
import { PhiCipher } from "@care/phi"
import type { Migrations, OldRows } from "@care/service-kit"
import {
  IdentityTokens,
  keptAnswers,
  layerAccess,
  layerDatabase,
  layerDocumentedErrors,
  layerHealth,
  layerHttpClient,
  layerIdentity,
  layerQuotas,
  layerTelemetry,
  layerUsageApi,
  metricsWith,
  ServiceConfig,
  type StoredRows,
  serve
} from "@care/service-kit"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { SqlClient } from "effect/sql"
import { layerCleanup } from "./cleanup/layerCleanup.ts"
import { layerPhiKeysApi } from "./keyRotation/layerPhiKeysApi.ts"

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

/** What is measured whenever somebody asks for the metrics. */
type Gauges<E, R> = Effect.Effect<Effect.Effect<void, unknown>, E, R>

/** What sets one service apart. `name` is also its PostgreSQL schema. */
interface ServiceOptions<E, R, EG, RG> {
  readonly name: ServiceName
  readonly migrations: Migrations
  /** Its routes, and its workers if it has any. */
  readonly routes: Layer.Layer<never, E, R>
  /** What it keeps for a while only, beside its jobs. */
  readonly oldRows?: ReadonlyArray<OldRows>
  /** What organizations may store only so much of, beside kept answers. */
  readonly storedRows?: ReadonlyArray<StoredRows>
  /** What `PHI_KEY` itself seals there, beside what it does in every service. */
  readonly sealedTables?: ReadonlyArray<SealedTable>
  /** What it measures of its rows, beside its jobs and its audit. */
  readonly gauges?: Gauges<EG, RG>
}

/** A service as a process: its routes on its database, with everything that all services have, job queues among it. */
export const layerService = <E, R, EG = never, RG = never>({
  gauges = Effect.succeed(Effect.void),
  migrations,
  name,
  oldRows = [],
  routes,
  sealedTables = [],
  storedRows = []
}: ServiceOptions<E, R, EG, RG>) =>
  serve(
    Layer.mergeAll(
      Layer.mergeAll(
        routes,
        layerJobsApi(name),
        layerAuditApi(name),
        layerPhiKeysApi(name, sealedTables),
        layerUsageApi(name)
      ).pipe(Layer.provide([layerAccess, layerDocumentedErrors, layerQuotas([keptAnswers, ...storedRows])])),
      layerDatabaseHealth,
      layerServiceMetrics(gauges),
      layerCleanup(oldRows),
      layerIdentity
    ),
    { accessLog: "none" }
  ).pipe(
    Layer.provide([layerJobs, layerAudit(name)]),
    Layer.provide([layerDatabase({ schema: name, migrations }), PhiCipher.layer]),
    Layer.provide([layerHttpClient, layerTelemetry]),
    Layer.provideMerge(IdentityTokens.layer),
    Layer.provide(ServiceConfig.layer(name, peers[name].port))
  )
