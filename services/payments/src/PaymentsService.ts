import { PaymentsApi } from "@care/domain/payments"
import { Once, oldIdempotencyKeys } from "@care/once"
import { layerService } from "@care/service"
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
import { PaymentReplication } from "./payments/PaymentReplication.ts"
import { PromoCodesFeature } from "./promoCodes/PromoCodesFeature.ts"
import { ReconciliationFeature } from "./reconciliation/ReconciliationFeature.ts"
import { sealedTables } from "./sealedTables.ts"
import { PaymentSetupFeature } from "./setup/PaymentSetupFeature.ts"
import { oldStripeCalls } from "./stripe/oldStripeCalls.ts"
import { Stripe } from "./stripe/Stripe.ts"
import { StripeCalls } from "./stripe/StripeCalls.ts"
import { StripeSettings } from "./stripe/StripeSettings.ts"

export const PaymentsService = layerService({
  name: "payments",
  migrations,
  oldRows: [oldIdempotencyKeys, oldPaymentEvents, oldStripeCalls],
  gauges: makePaymentGauges,
  sealedTables,
  routes: Layer.mergeAll(
    layerOwnPatients,
    ReconciliationFeature,
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
        PaymentReplication.layerWorker
      ])
    )
  ).pipe(
    Layer.provide(StripeCalls.layer),
    Layer.provide([Directory.layer, Once.layer, Stripe.layer.pipe(Layer.provide(StripeSettings.layer))])
  )
})
