import { Layer } from "effect"
import { CaseSnapshots } from "./CaseSnapshots.ts"
import { FollowedCasesHandlers } from "./http.ts"

/** What cases tells scheduling. */
export const CaseFactsFeature = FollowedCasesHandlers.pipe(Layer.provide(CaseSnapshots.layer))
