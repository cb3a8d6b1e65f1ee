import { PaymentsApi } from "@care/domain/payments"
import { Once } from "@care/once"
import { layerService } from "@care/service"
import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { migrations } from "../migrations/index.ts"
import { CasePaymentsFeature, NewPaymentsFeature, PaymentReadingFeature } from "./casePayments/index.ts"
import { ConfirmationsFeature } from "./confirmations/index.ts"
import { Directory } from "./Directory.ts"
import { GatewayEventsFeature, oldPaymentEvents } from "./events/index.ts"
import { keptTables } from "./keptTables.ts"
import { layerOwnPatients } from "./patients/index.ts"
import { makePaymentGauges, OperationsFeature, PaymentReplication } from "./payments/index.ts"
import { PromoCodesFeature } from "./promoCodes/index.ts"
import { ReconciliationFeature } from "./reconciliation/index.ts"
import { sealedTables } from "./sealedTables.ts"
import { IntentsFeature, PaymentSetupFeature } from "./setup/index.ts"
import { oldStripeCalls, Stripe, StripeCalls, StripeSettings } from "./stripe/index.ts"

export const PaymentsService = layerService({
  name: "payments",
  migrations,
  oldRows: [oldPaymentEvents, oldStripeCalls],
  gauges: makePaymentGauges,
  tablesOfIds: { paymentId: "payments", promoCodeId: "promo_codes" },
  keptTables,
  sealedTables,
  routes: Layer.mergeAll(
    ReconciliationFeature,
    HttpApiBuilder.layer(PaymentsApi).pipe(
      Layer.provide([
        CasePaymentsFeature,
        NewPaymentsFeature,
        PaymentReadingFeature,
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
    // Erases the patients of the list of erasures before any job begins.
    Layer.provideMerge(layerOwnPatients),
    Layer.provide(StripeCalls.layer),
    Layer.provide([Directory.layer, Once.layer, Stripe.layer.pipe(Layer.provide(StripeSettings.layer))])
  )
})
