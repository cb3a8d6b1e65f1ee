import * as HttpApi from "effect/http-api/HttpApi"
import { allMistakes } from "../http/annotations.ts"
import { CasePaymentsApi } from "./CasePaymentsApi.ts"
import { AdminGatewayEventsApi, GatewayEventsApi } from "./GatewayEventsApi.ts"

export class PaymentsApi extends HttpApi.make("payments")
  .add(CasePaymentsApi)
  .add(GatewayEventsApi)
  .add(AdminGatewayEventsApi)
  .annotate(HttpApi.ParseOptions, allMistakes) {}
