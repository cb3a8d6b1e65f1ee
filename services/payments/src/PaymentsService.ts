import { PaymentsApi } from "@care/domain/payments"
import { layerService } from "@care/service-kit"
import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { migrations } from "../migrations/index.ts"
import { CasePaymentsFeature } from "./casePayments/CasePaymentsFeature.ts"

export const PaymentsService = layerService({
  name: "payments",
  migrations,
  routes: HttpApiBuilder.layer(PaymentsApi).pipe(Layer.provide([CasePaymentsFeature]))
})
