import { Layer } from "effect"
import { Delivery } from "../../messages/index.ts"
import { CodeSending } from "./CodeSending.ts"
import { OneTimeCodes } from "./OneTimeCodes.ts"

/** One-time codes on their way to those who asked for them. */
export const CodesFeature = CodeSending.layerWorker.pipe(Layer.provide([Delivery.layer, OneTimeCodes.layer]))
