export { ApiKeys } from "./ApiKeys.ts"
export { KeysFeature } from "./KeysFeature.ts"
export { Sandboxes } from "./Sandboxes.ts"
