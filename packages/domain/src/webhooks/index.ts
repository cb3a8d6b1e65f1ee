export * from "./eventTypeOf.ts"
export * from "./WebhookEvent.ts"
export * from "./webhookEvents.ts"
