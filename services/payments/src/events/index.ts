export { EventOwners } from "./EventOwners.ts"
export { GatewayEvents } from "./GatewayEvents.ts"
export { GatewayEventsFeature, oldPaymentEvents } from "./GatewayEventsFeature.ts"
export { intentUpdateOf, stateOfType } from "./intentUpdateOf.ts"
