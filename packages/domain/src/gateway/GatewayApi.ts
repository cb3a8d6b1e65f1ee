import * as HttpApi from "effect/http-api/HttpApi"
import { AuditApi } from "../audit/AuditApi.ts"
import { AuditArchivesApi } from "../audit/AuditArchivesApi.ts"
import { AuditRecordsApi } from "../audit/AuditRecordsApi.ts"
import { allMistakes } from "../http/annotations.ts"
import { JobsApi } from "../jobs/JobsApi.ts"
import { PhiKeysApi } from "../phiKeys/PhiKeysApi.ts"
import { ReconciliationsApi } from "../reconciliation/ReconciliationsApi.ts"
import { UsageApi } from "../usage/UsageApi.ts"
import { ServiceHealthApi } from "./ServiceHealthApi.ts"
import { TroublesApi } from "./TroublesApi.ts"

/** The endpoints that the gateway itself answers: those across all services. */
export class GatewayApi extends HttpApi.make("gateway")
  .add(
    AuditRecordsApi,
    JobsApi,
    AuditApi,
    AuditArchivesApi,
    PhiKeysApi,
    ReconciliationsApi,
    UsageApi,
    ServiceHealthApi,
    TroublesApi
  )
  .annotate(HttpApi.ParseOptions, allMistakes) {}
