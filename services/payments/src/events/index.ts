export { GatewayEvents } from "./GatewayEvents.ts"
export { GatewayEventsFeature } from "./GatewayEventsFeature.ts"
export { factsOfType, intentUpdateOf } from "./intentUpdateOf.ts"
export { oldPaymentEvents } from "./oldPaymentEvents.ts"
