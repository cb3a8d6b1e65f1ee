import { HttpApi } from "effect/http-api"
import { Owner } from "../http/annotations.ts"
import { ApiKeysApi } from "./ApiKeysApi.ts"
import { DirectoryApi } from "./DirectoryApi.ts"
import { MembersApi } from "./MembersApi.ts"
import { OrganizationsApi } from "./OrganizationsApi.ts"

/** Everything that the auth service answers. */
export class AuthApi extends HttpApi.make("auth")
  .add(OrganizationsApi)
  .add(ApiKeysApi)
  .add(MembersApi)
  .add(DirectoryApi)
  .annotate(Owner, "auth") {}
