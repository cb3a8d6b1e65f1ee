import { Layer } from "effect"
import { CaseFacts } from "./CaseFacts.ts"
import { FollowedCasesHandlers } from "./http.ts"

/** What cases tells scheduling. */
export const CaseFactsFeature = FollowedCasesHandlers.pipe(Layer.provide(CaseFacts.layer))
