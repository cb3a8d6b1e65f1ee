import { Layer } from "effect"
import { AssignmentJobs } from "../assignment/AssignmentJobs.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { CaseFactsHandlers } from "./http.ts"

/** What auth asks and tells cases. */
export const CaseFactsFeature = CaseFactsHandlers.pipe(Layer.provide([AssignmentJobs.layer, Cases.layer]))
