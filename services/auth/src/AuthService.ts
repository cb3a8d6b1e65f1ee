import { AuthApi } from "@care/domain/auth"
import { Once } from "@care/once"
import { layerService } from "@care/service"
import { AccessTokens } from "@care/service-kit"
import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { migrations } from "../migrations/index.ts"
import { AuthSettings } from "./AuthSettings.ts"
import { CodesFeature } from "./codes/CodesFeature.ts"
import { DirectoryFeature } from "./directory/DirectoryFeature.ts"
import { ErasureFeature, layerOwnPatients } from "./erasure/ErasureFeature.ts"
import { KeysFeature } from "./keys/KeysFeature.ts"
import { MembersFeature } from "./members/MembersFeature.ts"
import { MessagesFeature } from "./messages/MessagesFeature.ts"
import { NoticesFeature } from "./notices/NoticesFeature.ts"
import { oldRows } from "./oldRows.ts"
import { OrganizationsFeature } from "./organizations/OrganizationsFeature.ts"
import { People } from "./people/People.ts"
import { PeopleFeature } from "./people/PeopleFeature.ts"
import { SessionsFeature } from "./sessions/SessionsFeature.ts"
import { UsersFeature } from "./users/UsersFeature.ts"

export const AuthService = layerService({
  name: "auth",
  migrations,
  oldRows,
  routes: Layer.merge(
    layerOwnPatients,
    HttpApiBuilder.layer(AuthApi).pipe(
      Layer.provide([
        CodesFeature,
        DirectoryFeature,
        ErasureFeature,
        KeysFeature,
        MembersFeature,
        MessagesFeature,
        NoticesFeature,
        OrganizationsFeature,
        PeopleFeature,
        SessionsFeature,
        UsersFeature
      ])
    )
  ).pipe(Layer.provide([AccessTokens.layer, AuthSettings.layer, Once.layer, People.layer]))
})
