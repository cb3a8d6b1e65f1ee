import { Layer } from "effect"
import { Activity } from "../activity/Activity.ts"
import { CalendarEvents } from "../calendarEvents/CalendarEvents.ts"
import { Comments } from "../comments/Comments.ts"
import { Decisions } from "../decisions/Decisions.ts"
import { Attachments } from "../documents/Attachments.ts"
import { Escalations } from "../escalations/Escalations.ts"
import { FormResponses } from "../forms/FormResponses.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { Lifecycle } from "../lifecycle/Lifecycle.ts"
import { Orders } from "../orders/Orders.ts"
import { Reading } from "../reading/Reading.ts"
import { CaseListsHandlers } from "./CaseListsHandlers.ts"
import { BackOfficeHandlers } from "./http.ts"

/** The care team's work on cases. */
export const BackOfficeFeature = Layer.merge(BackOfficeHandlers, CaseListsHandlers).pipe(
  Layer.provide([
    Activity.layer,
    Attachments.layer,
    CalendarEvents.layer,
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
