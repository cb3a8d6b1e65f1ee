import { PaymentsApi } from "@care/domain/payments"
import { layerService, Once, oldIdempotencyKeys, sealedTable } from "@care/service-kit"
import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { migrations } from "../migrations/index.ts"
import { CasePaymentsFeature } from "./casePayments/CasePaymentsFeature.ts"
import { ConfirmationsFeature } from "./confirmations/ConfirmationsFeature.ts"
import { Directory } from "./directory/Directory.ts"
import { GatewayEventsFeature } from "./events/GatewayEventsFeature.ts"
import { oldPaymentEvents } from "./events/oldPaymentEvents.ts"
import { IntentsFeature } from "./intents/IntentsFeature.ts"
import { NewPaymentsFeature } from "./newPayments/NewPaymentsFeature.ts"
import { makePaymentGauges } from "./operations/makePaymentGauges.ts"
import { OperationsFeature } from "./operations/OperationsFeature.ts"
import { layerOwnPatients } from "./patients/OwnPatients.ts"
import { PaymentNews } from "./payments/PaymentNews.ts"
import { PaymentRow } from "./payments/PaymentsRepo.ts"
import { PromoCodesFeature } from "./promoCodes/PromoCodesFeature.ts"
import { PaymentSetupFeature } from "./setup/PaymentSetupFeature.ts"
import { Stripe } from "./stripe/Stripe.ts"
import { StripeSettings } from "./stripe/StripeSettings.ts"

export const PaymentsService = layerService({
  name: "payments",
  migrations,
  oldRows: [oldIdempotencyKeys, oldPaymentEvents],
  gauges: makePaymentGauges,
  // Those of cases that are not stored yet: whose they are to be is not known.
  sealedTables: [sealedTable(PaymentRow, "description", { organization_id: "uuid", id: "uuid" })],
  routes: Layer.merge(
    layerOwnPatients,
    HttpApiBuilder.layer(PaymentsApi).pipe(
      Layer.provide([
        CasePaymentsFeature,
        NewPaymentsFeature,
        OperationsFeature,
        IntentsFeature,
        PaymentSetupFeature,
        ConfirmationsFeature,
        GatewayEventsFeature,
        PromoCodesFeature,
        PaymentNews.layerWorker
      ])
    )
  ).pipe(Layer.provide([Directory.layer, Once.layer, Stripe.layer.pipe(Layer.provide(StripeSettings.layer))]))
})
