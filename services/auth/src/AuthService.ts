import { AuthApi } from "@care/domain/auth"
import { Once } from "@care/once"
import { layerService } from "@care/service"
import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { migrations } from "../migrations/index.ts"
import { AuthSettings } from "./AuthSettings.ts"
import { DirectoryFeature } from "./directory/index.ts"
import { ErasureFeature, layerOwnPatients } from "./erasure/index.ts"
import { KeysFeature } from "./keys/index.ts"
import { MessagesFeature, NoticesFeature } from "./messages/index.ts"
import { oldRows } from "./oldRows.ts"
import {
  keptTables,
  OrganizationReplication,
  OrganizationsFeature,
  SandboxCatalogues,
  TestClockFeature,
  TestResetFeature
} from "./organizations/index.ts"
import { MembersFeature, PersonReplication, UserSnapshots } from "./people/index.ts"
import { UsersFeature } from "./profiles/index.ts"
import { RequestLogsFeature } from "./requestLogs/index.ts"
import { sealedTables } from "./sealedTables.ts"
import { AccessTokens, CodesFeature, SessionsFeature } from "./signIn/index.ts"
import { StaffFeature } from "./staff/index.ts"

export const AuthService = layerService({
  name: "auth",
  migrations,
  oldRows,
  keptTables,
  sealedTables,
  tablesOfIds: { organizationId: "organizations", apiKeyId: "api_keys", userId: "users" },
  routes: HttpApiBuilder.layer(AuthApi).pipe(
    Layer.provide([
      CodesFeature,
      DirectoryFeature,
      ErasureFeature,
      KeysFeature,
      MembersFeature,
      MessagesFeature,
      NoticesFeature,
      OrganizationReplication.layerWorker,
      OrganizationsFeature,
      PersonReplication.layerWorker,
      RequestLogsFeature,
      SandboxCatalogues.layerWorker,
      SessionsFeature,
      StaffFeature,
      TestClockFeature,
      TestResetFeature,
      UsersFeature
    ]),
    // Erases the patients of the list of erasures before any job begins.
    Layer.provideMerge(layerOwnPatients),
    Layer.provide([AccessTokens.layer, AuthSettings.layer, Once.layer, UserSnapshots.layer]),
    Layer.provide([OrganizationReplication.layerNotifying, PersonReplication.layerNotifying, SandboxCatalogues.layer])
  )
})
