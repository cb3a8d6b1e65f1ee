import { Layer } from "effect"
import { ApiKeys } from "./ApiKeys.ts"
import { ApiKeysHandlers } from "./http.ts"

/** API keys as operators issue and revoke them. */
export const KeysFeature = ApiKeysHandlers.pipe(Layer.provide(ApiKeys.layer))
