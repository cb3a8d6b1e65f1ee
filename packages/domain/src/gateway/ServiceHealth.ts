import { Record, Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { peers } from "../peers.ts"

/** What a gateway forwarded to a service in one minute. Times are in milliseconds, until the answer began. */
export const MinuteOfTraffic = Schema.Struct({
  minute: Timestamp,
  requests: Schema.Natural,
  failed: Schema.Natural.annotate({ description: "Those without an answer, or with a status of 500 or more" }),
  medianMs: Schema.Natural,
  slowestMs: Schema.Natural
}).annotate({ identifier: "MinuteOfTraffic" })
export type MinuteOfTraffic = typeof MinuteOfTraffic.Type

/** Whether a service of a cell is ready, and what the gateway forwarded to it. */
export const ServiceHealth = Schema.Struct({
  service: Schema.Literals(Record.keys(peers)),
  cell: Schema.String,
  isReady: Schema.Boolean,
  checkedAt: Timestamp,
  lastHour: Schema.Array(MinuteOfTraffic).annotate({
    description: "The minutes with requests, oldest first, at most 60. The last one may not be over"
  })
}).annotate({ identifier: "ServiceHealth" })
export type ServiceHealth = typeof ServiceHealth.Type
