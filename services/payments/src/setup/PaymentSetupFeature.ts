import { Layer } from "effect"
import { PaymentSetupHandlers } from "./http.ts"
import { PaymentSetups } from "./PaymentSetups.ts"

/** The payment methods of patients: how they are set up, and changed. */
export const PaymentSetupFeature = PaymentSetupHandlers.pipe(Layer.provide(PaymentSetups.layer))
