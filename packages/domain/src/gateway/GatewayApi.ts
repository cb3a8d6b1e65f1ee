import * as HttpApi from "effect/http-api/HttpApi"
import { AuditApi } from "../audit/AuditApi.ts"
import { AuditRecordsApi } from "../audit/AuditRecordsApi.ts"
import { allMistakes } from "../http/annotations.ts"
import { JobsApi } from "../jobs/JobsApi.ts"
import { PhiKeysApi } from "../phiKeys/PhiKeysApi.ts"
import { ReconciliationsApi } from "../reconciliation/ReconciliationsApi.ts"
import { UsageApi } from "../usage/UsageApi.ts"

/** Everything that the gateway answers itself: what concerns all services. */
export class GatewayApi extends HttpApi.make("gateway")
  .add(AuditRecordsApi, JobsApi, AuditApi, PhiKeysApi, ReconciliationsApi, UsageApi)
  .annotate(HttpApi.ParseOptions, allMistakes) {}
