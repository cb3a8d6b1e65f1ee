import * as HttpApi from "effect/http-api/HttpApi"
import { allMistakes } from "../http/annotations.ts"
import { AdminPaymentsApi } from "./AdminPaymentsApi.ts"
import { AdminPromoCodesApi } from "./AdminPromoCodesApi.ts"
import { CasePaymentsApi } from "./CasePaymentsApi.ts"
import { ConfirmationsApi } from "./ConfirmationsApi.ts"
import { AdminGatewayEventsApi, GatewayEventsApi } from "./GatewayEventsApi.ts"
import { IntentsApi } from "./IntentsApi.ts"
import { NewPaymentsApi } from "./NewPaymentsApi.ts"
import { PaymentInfoApi } from "./PaymentInfoApi.ts"
import { PaymentLookupApi } from "./PaymentLookupApi.ts"
import { PaymentReadingApi } from "./PaymentReadingApi.ts"
import { PaymentSetupApi } from "./PaymentSetupApi.ts"
import { PaymentSimulationsApi } from "./PaymentSimulationsApi.ts"
import { PromoCodesApi } from "./PromoCodesApi.ts"

export class PaymentsApi extends HttpApi.make("payments")
  .add(CasePaymentsApi)
  .add(NewPaymentsApi)
  .add(PaymentReadingApi)
  .add(IntentsApi)
  .add(PaymentSetupApi)
  .add(PaymentInfoApi)
  .add(ConfirmationsApi)
  .add(GatewayEventsApi)
  .add(AdminPaymentsApi)
  .add(PaymentLookupApi)
  .add(AdminGatewayEventsApi)
  .add(PromoCodesApi)
  .add(AdminPromoCodesApi)
  .add(PaymentSimulationsApi)
  .annotate(HttpApi.ParseOptions, allMistakes) {}
