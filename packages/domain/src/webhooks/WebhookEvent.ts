import { Schema, Struct } from "effect"
import { shownMoment } from "../http/shownAnswers.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { WebhookEventId } from "../Ids.ts"
import { caseOfEvent, caseOfEventExample, ownEvents, webhookEvents } from "./webhookEvents.ts"

export type OwnEventType = keyof typeof ownEvents

const types = [...Struct.keys(webhookEvents), ...Struct.keys(ownEvents)]

/** The types of events: of cases, and of webhooks themselves. */
export const WebhookEventType = Schema.Literals(types).annotate({
  identifier: "WebhookEventType",
  message: `must be one of ${types.join(", ")}`
})

/** The common fields of all events. `webhookPayloads` has the `data` of each type. */
export const WebhookEvent = Schema.Struct({
  id: WebhookEventId,
  type: WebhookEventType,
  timestamp: Timestamp,
  data: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Int]))
}).annotate({ identifier: "WebhookEvent" })
export type WebhookEvent = typeof WebhookEvent.Type

/** A listed event. `isTest`: it is of a test case, and is sent only to endpoints that ask for those. */
export const ListedWebhookEvent = Schema.Struct({ ...WebhookEvent.fields, isTest: Schema.Boolean }).annotate({
  identifier: "ListedWebhookEvent"
})
export type ListedWebhookEvent = typeof ListedWebhookEvent.Type

const payloadOf = (type: string, summary: string, data: Schema.Struct.Fields, example: object) => {
  const payload = { type, timestamp: shownMoment.toISOString(), data: example }
  const schema = Schema.Struct({
    type: Schema.Literal(type),
    timestamp: Timestamp,
    data: Schema.Struct(data)
  }).annotate({
    identifier: `${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`,
    description: summary
  })
  return { type, summary, payload: schema, example: payload }
}

/** The body of each type of event, with an example of its JSON. */
export const webhookPayloads = [
  ...Struct.keys(webhookEvents).map((type) => {
    const { details, example, summary } = webhookEvents[type]
    return payloadOf(type, summary, { ...caseOfEvent, ...details }, { ...caseOfEventExample, ...example })
  }),
  ...Struct.keys(ownEvents).map((type) => {
    const { details, example, summary } = ownEvents[type]
    return payloadOf(type, summary, details, example)
  })
]
