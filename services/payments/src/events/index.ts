export { GatewayEvents } from "./GatewayEvents.ts"
export { GatewayEventsFeature } from "./GatewayEventsFeature.ts"
export { factsOfType, newsOf } from "./newsOf.ts"
export { oldPaymentEvents } from "./oldPaymentEvents.ts"
