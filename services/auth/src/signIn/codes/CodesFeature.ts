import { Layer } from "effect"
import { Delivery } from "../../messages/index.ts"
import { CodeSending } from "./CodeSending.ts"
import { OneTimeCodes } from "./OneTimeCodes.ts"

/** The worker that sends one-time codes. */
export const CodesFeature = CodeSending.layerWorker.pipe(Layer.provide([Delivery.layer, OneTimeCodes.layer]))
