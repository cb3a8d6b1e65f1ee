import { Layer } from "effect"
import { Organizations } from "../../organizations/index.ts"
import { Delivery } from "../Delivery.ts"
import { CaseNoticeSending } from "./CaseNoticeSending.ts"
import { EndpointNoticeSending } from "./EndpointNoticeSending.ts"
import { NoticesHandlers } from "./http.ts"
import { NoticeLimits } from "./NoticeLimits.ts"
import { Notices } from "./Notices.ts"

/** The notices of cases and of webhook endpoints. */
export const NoticesFeature = Layer.mergeAll(
  NoticesHandlers.pipe(Layer.provide(Notices.layer)),
  CaseNoticeSending.layerWorker.pipe(Layer.provide([Delivery.layer, NoticeLimits.layer])),
  EndpointNoticeSending.layerWorker.pipe(Layer.provide([Delivery.layer, NoticeLimits.layer, Organizations.layer]))
)
