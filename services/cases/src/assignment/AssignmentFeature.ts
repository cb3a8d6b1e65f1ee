import { Layer } from "effect"
import { Assignment } from "./Assignment.ts"
import { AssignmentJobs } from "./AssignmentJobs.ts"
import { AssignmentWalks } from "./AssignmentWalks.ts"

/** Automatic assignment: of a case that became open, and of all that wait when a provider joins. */
export const AssignmentFeature = Layer.merge(AssignmentJobs.layerWorker, AssignmentWalks.layerWorker).pipe(
  Layer.provide([Assignment.layer, AssignmentWalks.layer])
)
