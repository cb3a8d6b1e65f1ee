export { type ForeignCall, runForeignCall } from "./runForeignCall.ts"
export type { CallOutcome } from "./transitions.ts"
