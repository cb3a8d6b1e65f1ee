import { Layer } from "effect"
import { Cases } from "../lifecycle/Cases.ts"
import { Assignment } from "./Assignment.ts"
import { AssignmentJobs } from "./AssignmentJobs.ts"
import { AssignmentSweeps } from "./AssignmentSweeps.ts"
import { layerAssignmentWorkers } from "./layerAssignmentWorkers.ts"
import { ProviderDepartures } from "./ProviderDepartures.ts"

/** Automatic assignment: of a case that opens, of waiting cases when a provider joins, and of the cases of one who leaves. */
export const AssignmentFeature = Layer.merge(layerAssignmentWorkers, ProviderDepartures.layerWorker).pipe(
  Layer.provide([Assignment.layer, AssignmentJobs.layer, AssignmentSweeps.layer, Cases.layer, ProviderDepartures.layer])
)
