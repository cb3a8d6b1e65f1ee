import * as HttpApi from "effect/http-api/HttpApi"
import { allMistakes } from "../http/annotations.ts"
import { AdminPaymentsApi } from "./AdminPaymentsApi.ts"
import { AdminPromoCodesApi } from "./AdminPromoCodesApi.ts"
import { CasePaymentsApi } from "./CasePaymentsApi.ts"
import { AdminGatewayEventsApi, GatewayEventsApi } from "./GatewayEventsApi.ts"
import { NewPaymentsApi } from "./NewPaymentsApi.ts"
import { PromoCodesApi } from "./PromoCodesApi.ts"

export class PaymentsApi extends HttpApi.make("payments")
  .add(CasePaymentsApi)
  .add(NewPaymentsApi)
  .add(GatewayEventsApi)
  .add(AdminPaymentsApi)
  .add(AdminGatewayEventsApi)
  .add(PromoCodesApi)
  .add(AdminPromoCodesApi)
  .annotate(HttpApi.ParseOptions, allMistakes) {}
