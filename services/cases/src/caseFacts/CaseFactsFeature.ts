import { Layer } from "effect"
import { Providers } from "../assignment/Providers.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { CaseFactsHandlers } from "./http.ts"

/** What auth asks and tells cases. */
export const CaseFactsFeature = CaseFactsHandlers.pipe(Layer.provide([Providers.layer, Cases.layer]))
