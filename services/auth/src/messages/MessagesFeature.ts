import { Layer } from "effect"
import { Organizations } from "../organizations/index.ts"
import { Delivery } from "./Delivery.ts"
import { EmailChangeNotices } from "./EmailChangeNotices.ts"
import { MessagesHandlers } from "./http.ts"
import { Messages } from "./Messages.ts"
import { NoticeLimits } from "./notices/NoticeLimits.ts"

/** The local mailbox and those of sandboxes, and the notices of changed emails. */
export const MessagesFeature = Layer.merge(
  MessagesHandlers.pipe(Layer.provide(Messages.layer)),
  EmailChangeNotices.layerWorker.pipe(Layer.provide([Delivery.layer, NoticeLimits.layer, Organizations.layer]))
)
