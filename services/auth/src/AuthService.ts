import { AuthApi } from "@care/domain"
import { AccessTokens, layerCleanup, layerPatientAccess, layerService, Once } from "@care/service-kit"
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { migrations } from "../migrations/index.ts"
import { AuthSettings } from "./AuthSettings.ts"
import { CodeRequests } from "./codes/CodeRequests.ts"
import { CodeSending } from "./codes/CodeSending.ts"
import { OneTimeCodes } from "./codes/OneTimeCodes.ts"
import { DirectoryHandlers } from "./directory/http.ts"
import { ApiKeys } from "./keys/ApiKeys.ts"
import { ApiKeysHandlers } from "./keys/http.ts"
import { MembersHandlers } from "./members/http.ts"
import { Members } from "./members/Members.ts"
import { ProviderAnnouncement } from "./members/ProviderAnnouncement.ts"
import { Delivery } from "./messages/Delivery.ts"
import { EmailChangeNotices } from "./messages/EmailChangeNotices.ts"
import { MessagesHandlers } from "./messages/http.ts"
import { Messages } from "./messages/Messages.ts"
import { oldRows } from "./oldRows.ts"
import { OrganizationsHandlers } from "./organizations/http.ts"
import { Organizations } from "./organizations/Organizations.ts"
import { Patients } from "./patients/Patients.ts"
import { Providers } from "./providers/Providers.ts"
import { SignInHandlers } from "./sessions/http.ts"
import { RefreshTokens } from "./sessions/RefreshTokens.ts"
import { SignIn } from "./sessions/SignIn.ts"
import { UsersHandlers } from "./users/http.ts"
import { UserLookup } from "./users/UserLookup.ts"
import { Users } from "./users/Users.ts"

const signIn = SignIn.layer.pipe(
  Layer.provide(CodeRequests.layer),
  Layer.provideMerge(Layer.mergeAll(OneTimeCodes.layer, CodeSending.layer, RefreshTokens.layer))
)

const features = Layer.mergeAll(
  ApiKeys.layer,
  Members.layer.pipe(Layer.provideMerge(ProviderAnnouncement.layer)),
  Patients.layer,
  Providers.layer,
  UserLookup.layer,
  Messages.layer.pipe(Layer.provideMerge(Delivery.layer)),
  Users.layer.pipe(Layer.provideMerge(Layer.mergeAll(signIn, EmailChangeNotices.layer)))
).pipe(Layer.provideMerge(Organizations.layer))

const handlers = Layer.mergeAll(
  SignInHandlers,
  UsersHandlers,
  OrganizationsHandlers,
  ApiKeysHandlers,
  MembersHandlers,
  MessagesHandlers,
  DirectoryHandlers
)

export const AuthService = layerService({
  name: "auth",
  migrations,
  routes: Layer.mergeAll(
    HttpApiBuilder.layer(AuthApi).pipe(Layer.provide(handlers), Layer.provide(layerPatientAccess)),
    CodeSending.layerWorker,
    EmailChangeNotices.layerWorker,
    ProviderAnnouncement.layerWorker,
    layerCleanup(...oldRows)
  ).pipe(Layer.provide(features), Layer.provide([Once.layer, AccessTokens.layer, AuthSettings.layer]))
})
