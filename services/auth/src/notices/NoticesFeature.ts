import { Layer } from "effect"
import { Delivery } from "../messages/Delivery.ts"
import { CaseNoticeSending } from "./CaseNoticeSending.ts"
import { NoticesHandlers } from "./http.ts"
import { Notices } from "./Notices.ts"

/** What people are told of cases, and its way to them. */
export const NoticesFeature = Layer.merge(
  NoticesHandlers.pipe(Layer.provide(Notices.layer)),
  CaseNoticeSending.layerWorker.pipe(Layer.provide(Delivery.layer))
)
