import { peers, type ServiceName } from "@care/domain"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { SqlClient } from "effect/sql"
import { ServiceConfig } from "./config/ServiceConfig.ts"
import { layerAccess } from "./http/layerAccess.ts"
import { layerDocumentedErrors } from "./http/layerDocumentedErrors.ts"
import { layerHealth } from "./http/layerHealth.ts"
import { layerIdentity } from "./http/layerIdentity.ts"
import { metrics } from "./http/metrics.ts"
import { serve } from "./http/serve.ts"
import { IdentityTokens } from "./identity/IdentityTokens.ts"
import { layerHttpClient } from "./internal/layerHttpClient.ts"
import { databaseAnswers } from "./sql/databaseAnswers.ts"
import { layerDatabase } from "./sql/layerDatabase.ts"
import type { Migrations } from "./sql/migrate.ts"
import { layerTelemetry } from "./telemetry/layerTelemetry.ts"

const layerDatabaseHealth = Layer.unwrap(
  Effect.map(SqlClient.SqlClient, (sql) => layerHealth({ database: databaseAnswers(sql) }))
)

/** What sets one service apart. `name` is also its PostgreSQL schema. */
export interface ServiceOptions<E, R> {
  readonly name: ServiceName
  readonly migrations: Migrations
  /** Its routes, and its workers if it has any. */
  readonly routes: Layer.Layer<never, E, R>
}

/** A service as a process: its routes on its database, with everything that all services have. */
export const layerService = <E, R>({ migrations, name, routes }: ServiceOptions<E, R>) =>
  serve(
    Layer.mergeAll(
      routes.pipe(Layer.provide([layerAccess, layerDocumentedErrors])),
      layerDatabaseHealth,
      HttpRouter.add("GET", "/metrics", metrics),
      layerIdentity
    ),
    { accessLog: "none" }
  ).pipe(
    Layer.provide(layerDatabase({ schema: name, migrations })),
    Layer.provide([layerHttpClient, layerTelemetry]),
    Layer.provideMerge(IdentityTokens.layer),
    Layer.provide(ServiceConfig.layer(name, peers[name].port))
  )
