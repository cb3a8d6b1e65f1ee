import { Layer } from "effect"
import { AssignmentWalks } from "../assignment/AssignmentWalks.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { CaseFactsHandlers } from "./http.ts"

/** What auth asks and tells cases. */
export const CaseFactsFeature = CaseFactsHandlers.pipe(Layer.provide([AssignmentWalks.layer, Cases.layer]))
