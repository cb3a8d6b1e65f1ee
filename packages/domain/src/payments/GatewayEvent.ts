import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { ExternalJson } from "../http/JsonAnswer.ts"
import { externalTextUpTo, nonBlankUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { Uuid } from "../Ids.ts"
import { PaymentStatus } from "./PaymentStatus.ts"

const reference = nonBlankUpTo(lengths.reference)

// The end of the year 9999.
const lastSecond = 253_402_300_799

/**
 * An event of the gateway. Its object is decoded only for events of payments. `created` is in seconds; `api_version` is
 * the version of the gateway's API that it is written in.
 */
export const GatewayEvent = Schema.Struct({
  id: reference,
  type: nonBlankUpTo(lengths.name),
  created: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: lastSecond }))),
  api_version: Schema.optional(externalTextUpTo(lengths.name)),
  data: Schema.Struct({ object: ExternalJson })
}).annotate({ identifier: "GatewayEvent" })
export type GatewayEvent = typeof GatewayEvent.Type

/** The result of an event: pending, of no payment, of an unknown payment, without or with a change. */
export const GatewayEventResult = Schema.Literals(["PENDING", "IGNORED", "NO_PAYMENT", "UNCHANGED", "CHANGED"])
export type GatewayEventResult = typeof GatewayEventResult.Type

/** An event of the gateway with its result. `status` is the payment's status after it. */
export const ReceivedEvent = Schema.Struct({
  id: Uuid,
  eventId: Schema.String,
  type: Schema.String,
  intentId: Schema.NullOr(Schema.String),
  happenedAt: Schema.NullOr(Timestamp),
  createdAt: Timestamp,
  handledAt: Schema.NullOr(Timestamp),
  result: GatewayEventResult,
  status: Schema.NullOr(PaymentStatus)
}).annotate({ identifier: "ReceivedEvent" })
export type ReceivedEvent = typeof ReceivedEvent.Type
