export type { CallOptions } from "./CallOptions.ts"
export { Care } from "./Care.ts"
export { CareError } from "./CareError.ts"
export type * from "./generated.ts"
export type { Page, Pages } from "./Pages.ts"
export type { AnswerOf, BodyOf, QueryOf } from "./resources/operationTypes.ts"
export type { CareOptions } from "./Transport.ts"
export {
  type CareEvent,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookRefused
} from "./verifyWebhook.ts"
