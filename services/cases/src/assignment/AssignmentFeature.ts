import { Layer } from "effect"
import { Assignment } from "./Assignment.ts"
import { AssignmentJobs } from "./AssignmentJobs.ts"

export const AssignmentFeature = AssignmentJobs.layerWorker.pipe(Layer.provide(Assignment.layer))
