import { AuthApi } from "@care/domain"
import { layerService } from "@care/service-kit"
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
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

/** The auth service as a process. */
export const AuthService = layerService({
  name: "auth",
  defaultPort: 8081,
  migrations,
  routes: HttpApiBuilder.layer(AuthApi).pipe(
    Layer.provide([OrganizationsHandlers, ApiKeysHandlers, MembersHandlers, DirectoryHandlers]),
    Layer.provide(features)
  )
})
