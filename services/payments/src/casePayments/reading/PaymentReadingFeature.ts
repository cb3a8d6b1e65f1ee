import { Layer } from "effect"
import { AdminPayments, CaseOwners } from "../../payments/index.ts"
import { PaymentReadingHandlers } from "./http.ts"
import { PaymentReading } from "./PaymentReading.ts"

/** The payments of a case, as its partner reads them. */
export const PaymentReadingFeature = PaymentReadingHandlers.pipe(
  Layer.provide(PaymentReading.layer),
  Layer.provide([AdminPayments.layer, CaseOwners.layer])
)
