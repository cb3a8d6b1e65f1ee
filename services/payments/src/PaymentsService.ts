import { PaymentsApi } from "@care/domain"
import { layerService } from "@care/service-kit"
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { migrations } from "../migrations/index.ts"
import { CasePayments } from "./casePayments/CasePayments.ts"
import { CasePaymentsHandlers } from "./casePayments/http.ts"

export const PaymentsService = layerService({
  name: "payments",
  migrations,
  routes: HttpApiBuilder.layer(PaymentsApi).pipe(Layer.provide(CasePaymentsHandlers), Layer.provide(CasePayments.layer))
})
