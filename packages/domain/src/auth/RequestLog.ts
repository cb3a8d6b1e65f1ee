import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { PageQuery } from "../http/Page.ts"
import { codeLike, textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { ApiKeyId, OrganizationId, Uuid } from "../Ids.ts"

/** For how many days requests are logged. */
export const requestLogDays = 7

/** How many requests of an organization are logged in a day (UTC). */
export const requestsLoggedADay = 20_000

/** A request with a valid API key, without anything that was sent in it: the path is that of the documentation. */
export const LoggedRequest = Schema.Struct({
  id: Uuid,
  at: Timestamp.annotate({ description: "When the request arrived" }),
  method: textUpTo(lengths.code),
  path: textUpTo(lengths.line).annotate({
    description: "The path with the names of its parameters, and with the action of a body that names one"
  }),
  status: Schema.Natural,
  durationMs: Schema.Natural.annotate({ description: "The milliseconds until the response began" }),
  requestId: textUpTo(lengths.code).annotate({ description: "The `x-request-id` of the response" }),
  apiKeyId: ApiKeyId,
  errorCode: Schema.NullOr(textUpTo(lengths.line)).annotate({ description: "The `care-error-code` of the response" }),
  version: Schema.NullOr(textUpTo(lengths.code)).annotate({ description: "The `care-version` of the response" })
}).annotate({ identifier: "LoggedRequest" })
export type LoggedRequest = typeof LoggedRequest.Type

/** How many requests of a day are logged. */
export const DayOfRequests = Schema.Struct({
  begunAt: Timestamp.annotate({ description: "When the day began, in UTC" }),
  requests: Schema.Natural.annotate({ description: "Including those that were refused or failed" }),
  refused: Schema.Natural.annotate({ description: "Those with a status of 400 to 499" }),
  failed: Schema.Natural.annotate({ description: "Those with a status of 500 or more" }),
  isComplete: Schema.Boolean.annotate({ description: "False if more were sent than are logged" })
}).annotate({ identifier: "DayOfRequests" })
export type DayOfRequests = typeof DayOfRequests.Type

/**
 * Internal: requests that a gateway answered, and organizations of which it dropped some at a time. The ids make it idempotent. Auth gives
 * the JSON to PostgreSQL as it is, because a thousand requests took longer to decode than to store.
 */
export const RequestLogBatch = Schema.Struct({
  requests: Schema.Array(Schema.Struct({ organizationId: OrganizationId, ...LoggedRequest.fields })),
  dropped: Schema.Array(Schema.Struct({ organizationId: OrganizationId, at: Timestamp }))
})
export type RequestLogBatch = typeof RequestLogBatch.Type

/** Internal: the JSON of a `RequestLogBatch`. */
export const RequestLogText = textUpTo(4_000_000)

/** Internal: no row can be made of a batch, so that it is refused whenever it is sent. */
export class RequestLogRefused extends Schema.TaggedError<RequestLogRefused>()("RequestLogRefused", {}) {}

/** Internal: organizations whose requests cannot be stored yet, because they move to another cell, and those that have their share of a day. */
export const RequestLogOutcome = Schema.Struct({
  waiting: Schema.Array(OrganizationId),
  full: Schema.Array(Schema.Struct({ organizationId: OrganizationId, until: Timestamp }))
})
export type RequestLogOutcome = typeof RequestLogOutcome.Type

/** The filters of the request log. All of them apply. */
export const RequestLogsQuery = {
  ...PageQuery,
  status: Schema.optionalKey(
    codeLike(/^[1-5](?:xx|\d\d)$/u, "must be a status such as 404, or a class of them such as 4xx")
  ),
  method: Schema.optionalKey(Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"])),
  path: Schema.optionalKey(
    textUpTo(lengths.line).annotate({ description: "A path as the log has it, such as `/api/v1/cases/:caseId`" })
  ),
  since: Schema.optionalKey(Timestamp),
  until: Schema.optionalKey(Timestamp),
  requestId: Schema.optionalKey(textUpTo(lengths.code))
}
export type RequestLogsQuery = Schema.Struct.Type<typeof RequestLogsQuery>
