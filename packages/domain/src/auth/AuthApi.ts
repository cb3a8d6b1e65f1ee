import * as HttpApi from "effect/http-api/HttpApi"
import { allMistakes } from "../http/annotations.ts"
import { PatientErasureApi } from "../patients/PatientErasureApi.ts"
import { ApiKeysApi } from "./ApiKeysApi.ts"
import { DirectoryApi } from "./DirectoryApi.ts"
import { IncidentsApi } from "./IncidentsApi.ts"
import { MembersApi } from "./MembersApi.ts"
import { MessagesApi } from "./MessagesApi.ts"
import { NoticesApi } from "./NoticesApi.ts"
import { OrganizationsApi } from "./OrganizationsApi.ts"
import { AdminRequestLogsApi, LoggedRequestsApi, RequestLogsApi } from "./RequestLogsApi.ts"
import { SignInApi } from "./SignInApi.ts"
import { SingleSignOnApi } from "./SingleSignOnApi.ts"
import { StaffAdminApi } from "./StaffAdminApi.ts"
import { StaffSessionApi } from "./StaffSessionApi.ts"
import { StaffSessionsApi } from "./StaffSessionsApi.ts"
import { StaffSignInApi } from "./StaffSignInApi.ts"
import { TestClockApi } from "./TestClockApi.ts"
import { TestMessagesApi } from "./TestMessagesApi.ts"
import { TestResetApi } from "./TestResetApi.ts"
import { UsersApi } from "./UsersApi.ts"

export class AuthApi extends HttpApi.make("auth")
  .add(SignInApi)
  .add(UsersApi)
  .add(OrganizationsApi)
  .add(ApiKeysApi)
  .add(MembersApi)
  .add(PatientErasureApi)
  .add(MessagesApi)
  .add(DirectoryApi)
  .add(NoticesApi)
  .add(StaffSessionsApi)
  .add(StaffSignInApi)
  .add(StaffSessionApi)
  .add(StaffAdminApi)
  .add(SingleSignOnApi)
  .add(RequestLogsApi)
  .add(AdminRequestLogsApi)
  .add(LoggedRequestsApi)
  .add(IncidentsApi)
  .add(TestClockApi)
  .add(TestMessagesApi)
  .add(TestResetApi)
  .annotate(HttpApi.ParseOptions, allMistakes) {}
