import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { broken, keyRefused } from "../http/commonErrors.ts"
import { invalidRequest } from "../http/errorForms.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { ok, saying } from "../http/ok.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { CalendarTime, Timestamp } from "../http/Timestamp.ts"
import { eventTypeUnknown, providerErrors } from "./providerErrors.ts"

/** The maximum range of one request, in days. */
export const maxAvailabilityDays = 31

/** A time at which an event type can be booked. */
export const OpenSlot = Schema.Struct({
  startTime: Timestamp,
  inviteesRemaining: Schema.Int
}).annotate({ identifier: "OpenSlot" })
export type OpenSlot = typeof OpenSlot.Type

/** Partner API: open slots of the scheduling provider's event types. */
export class AvailabilityApi extends HttpApiGroup.make("availability")
  .add(
    HttpApiEndpoint.get("slots", "/api/v1/calendar/provider-availability", {
      query: {
        event_type_id: nonBlankUpTo(lengths.reference),
        start_time: CalendarTime,
        end_time: CalendarTime
      },
      success: ok({ message: saying("Availability retrieved successfully"), data: Schema.Array(OpenSlot) }),
      error: [
        ...keyRefused,
        mistakesAs(
          invalidRequest,
          "A parameter is missing or malformed, or the range is in the past, reversed, or longer than 31 days: `<parameter>, <reason>`"
        ),
        eventTypeUnknown,
        ...providerErrors,
        ...broken
      ]
    })
      .annotate(OpenApi.Summary, "List open slots")
      .annotate(
        OpenApi.Description,
        "Lists the times from `start_time` to `end_time` at which an event type of the scheduling provider can be booked, earliest first. The range is ISO 8601, in UTC unless it has an offset, and at most 31 days long. Past times are left out."
      )
  )
  .annotate(OpenApi.Title, "Availability")
  .annotate(OpenApi.Description, "The open slots of the event types of the scheduling provider.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
