import { Layer } from "effect"
import { PaymentSetupHandlers } from "./http.ts"
import { PaymentSetups } from "./PaymentSetups.ts"

/** The set-up and change of patients' payment methods. */
export const PaymentSetupFeature = PaymentSetupHandlers.pipe(Layer.provide(PaymentSetups.layer))
