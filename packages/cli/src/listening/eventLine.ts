import { Option, Schema } from "effect"

const Body = Schema.Struct({
  type: Schema.String,
  timestamp: Schema.String,
  data: Schema.Record(Schema.String, Schema.Unknown)
})

/** A received event. `id` is its `webhook-id`. */
export type ReceivedWebhookEvent = typeof Body.Type & { readonly id: string }

const decodeBody = Schema.decodeUnknownOption(Schema.fromJsonString(Body))

/** Decodes an event; none when the body is not an event. */
export const eventFrom = (id: string, body: string): Option.Option<ReceivedWebhookEvent> =>
  Option.map(decodeBody(body), (event) => ({ id, ...event }))

/** Returns an event in one line: time, type, case and id. */
export const eventLine = ({ data, id, timestamp, type }: ReceivedWebhookEvent): string => {
  const details = Object.entries(data).map(([name, value]) => `${name}=${String(value)}`)
  return [timestamp, type, ...details, `id=${id}`].join("  ")
}
