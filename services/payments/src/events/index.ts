export { GatewayEvents } from "./GatewayEvents.ts"
export { GatewayEventsFeature } from "./GatewayEventsFeature.ts"
export { intentUpdateOf, stateOfType } from "./intentUpdateOf.ts"
export { oldPaymentEvents } from "./oldPaymentEvents.ts"
