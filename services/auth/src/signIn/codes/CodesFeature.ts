import { Layer } from "effect"
import { Delivery } from "../../messages/index.ts"
import { CodeSending } from "./CodeSending.ts"
import { OneTimeCodes } from "./OneTimeCodes.ts"
import { StaffCodeRequests } from "./StaffCodeRequests.ts"

/** The workers that send one-time codes. */
export const CodesFeature = Layer.merge(
  CodeSending.layerWorker.pipe(Layer.provide([Delivery.layer, OneTimeCodes.layer])),
  StaffCodeRequests.layerWorker.pipe(Layer.provide(CodeSending.layer))
)
