import { Layer } from "effect"
import { Activity, CaseCalendarEvents, Cases, Decisions, Lifecycle } from "../../case/index.ts"
import { Comments } from "../../comments/index.ts"
import { Attachments } from "../../documents/index.ts"
import { Escalations } from "../../escalations/index.ts"
import { FormResponses } from "../../intake/index.ts"
import { Orders } from "../../orders/index.ts"
import { Reading } from "../reading/Reading.ts"
import { Timeline } from "../timeline/Timeline.ts"
import { CaseListsHandlers } from "./CaseListsHandlers.ts"
import { BackOfficeHandlers } from "./http.ts"

/** The care team's work on cases. */
export const BackOfficeFeature = Layer.merge(BackOfficeHandlers, CaseListsHandlers).pipe(
  Layer.provide(Timeline.layer),
  Layer.provide([
    Activity.layer,
    Attachments.layer,
    CaseCalendarEvents.layer,
    Cases.layer,
    Comments.layer,
    Decisions.layer,
    Escalations.layer,
    FormResponses.layer,
    Lifecycle.layer,
    Orders.layer,
    Reading.layer
  ])
)
