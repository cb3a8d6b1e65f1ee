import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { invalidRequest } from "../http/errorForms.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { constant, ok } from "../http/ok.ts"
import { PathInvalid } from "../http/RequestErrors.ts"
import { requestExample } from "../http/requestExample.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { ClockAdvanceId } from "../Ids.ts"
import { AdvanceClock, ClockAdvance, ClockAdvanceNotFound, maxYearsAhead } from "./ClockAdvance.ts"
import { clockMoves, testErrors } from "./testErrors.ts"

const path = "/api/v1/test/clock"

/** The path of a move of a clock. */
export const clockAdvancePath = (id: ClockAdvanceId): string => `${path}/advances/${id}`

const Moving = Schema.Struct({
  status: constant(202),
  success: constant(true),
  data: Schema.Struct({ progress: ClockAdvance })
})

const unknown = "Clock advance not found"

/** Partner API: the clock of a sandbox organization. */
export class TestClockApi extends HttpApiGroup.make("testClock")
  .add(
    HttpApiEndpoint.get("get", path, {
      success: ok({ data: Schema.Struct({ now: Timestamp, advance: Schema.NullOr(ClockAdvance) }) }),
      error: testErrors
    })
      .annotate(OpenApi.Summary, "Read the clock")
      .annotate(
        OpenApi.Description,
        "Returns the time of your sandbox, and the move of its clock under way. Each answer to a test key has that time in the header `care-clock`."
      ),
    HttpApiEndpoint.post("advance", `${path}/advance`, {
      payload: AdvanceClock,
      success: [
        ok({ data: Schema.Struct({ now: Timestamp, advance: ClockAdvance }) }),
        Schema.suspend(() => Moving).pipe(HttpApiSchema.status(202))
      ],
      error: [...testErrors, clockMoves]
    })
      .annotate(OpenApi.Summary, "Move the clock")
      .annotate(
        OpenApi.Description,
        `Moves the clock of your sandbox forward, \`by\` a duration or \`to\` a time, at most ${maxYearsAhead} years ahead of the real time. What becomes due on the way is done in order, each at its time. When that takes more than 10 seconds, the response is 202 with \`data.progress\`, and \`Location\` has the path where you follow it.`
      )
      .annotate(OpenApi.Transform, requestExample({ by: "P30D" })),
    HttpApiEndpoint.get("find", `${path}/advances/:advanceId`, {
      params: { advanceId: ClockAdvanceId },
      success: ok({ data: ClockAdvance }),
      error: [
        invalidRequest(PathInvalid, 404, unknown),
        invalidRequest(ClockAdvanceNotFound, 404, unknown),
        ...testErrors
      ]
    })
      .annotate(OpenApi.Summary, "Follow a move of the clock")
      .annotate(OpenApi.Description, "Returns a move of the last week.")
  )
  .annotate(OpenApi.Title, "Test mode")
  .annotate(OpenApi.Description, "The clock of your sandbox. These operations need a test key.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
