import * as HttpApi from "effect/http-api/HttpApi"
import { allMistakes } from "../http/annotations.ts"
import { AdminPaymentsApi } from "./AdminPaymentsApi.ts"
import { CasePaymentsApi } from "./CasePaymentsApi.ts"
import { AdminGatewayEventsApi, GatewayEventsApi } from "./GatewayEventsApi.ts"
import { NewPaymentsApi } from "./NewPaymentsApi.ts"

export class PaymentsApi extends HttpApi.make("payments")
  .add(CasePaymentsApi)
  .add(NewPaymentsApi)
  .add(GatewayEventsApi)
  .add(AdminPaymentsApi)
  .add(AdminGatewayEventsApi)
  .annotate(HttpApi.ParseOptions, allMistakes) {}
