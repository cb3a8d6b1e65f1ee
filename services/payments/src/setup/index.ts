export { IntentsFeature } from "./intents/IntentsFeature.ts"
export { PaymentSetupFeature } from "./PaymentSetupFeature.ts"
