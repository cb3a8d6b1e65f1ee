import { Layer } from "effect"
import { ApiKeys } from "./ApiKeys.ts"
import { ApiKeysHandlers } from "./http.ts"

export const KeysFeature = ApiKeysHandlers.pipe(Layer.provide(ApiKeys.layer))
