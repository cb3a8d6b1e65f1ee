import { AuthApi } from "@care/domain"
import {
  databaseAnswers,
  IdentityTokens,
  layerAccess,
  layerDatabase,
  layerDocumentedErrors,
  layerHealth,
  layerJsonBodies,
  layerTelemetry,
  ServiceConfig,
  serve
} from "@care/service-kit"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { migrations } from "../migrations/index.ts"
import { DirectoryHandlers } from "./directory/http.ts"
import { ApiKeys } from "./keys/ApiKeys.ts"
import { ApiKeysHandlers } from "./keys/http.ts"
import { MembersHandlers } from "./members/http.ts"
import { Members } from "./members/Members.ts"
import { OrganizationsHandlers } from "./organizations/http.ts"
import { Organizations } from "./organizations/Organizations.ts"
import { Patients } from "./patients/Patients.ts"

const features = Layer.mergeAll(ApiKeys.layer, Members.layer, Patients.layer).pipe(
  Layer.provideMerge(Organizations.layer)
)

/** The routes of the auth service on a database. */
export const authRoutes = HttpApiBuilder.layer(AuthApi).pipe(
  Layer.provide([OrganizationsHandlers, ApiKeysHandlers, MembersHandlers, DirectoryHandlers]),
  Layer.provide([features, layerAccess, layerDocumentedErrors]),
  Layer.merge(layerJsonBodies)
)

const health = Layer.unwrap(
  Effect.map(SqlClient.SqlClient, (sql) =>
    layerHealth({ database: Effect.provideService(databaseAnswers, SqlClient.SqlClient, sql) })
  )
)

/** The auth service as a process. */
export const AuthService = serve(Layer.merge(authRoutes, health)).pipe(
  Layer.provide(layerDatabase({ schema: "auth", migrations })),
  Layer.provide(layerTelemetry),
  Layer.provide(IdentityTokens.layer),
  Layer.provide(ServiceConfig.layer("auth", 8081))
)
