import { Option, Schema } from "effect"

const Body = Schema.Struct({
  type: Schema.String,
  timestamp: Schema.String,
  data: Schema.Record(Schema.String, Schema.Unknown)
})

/** An event as it was received: `id` is its `webhook-id`. */
export type ReceivedEvent = typeof Body.Type & { readonly id: string }

const decodeBody = Schema.decodeUnknownOption(Schema.fromJsonString(Body))

/** Reads an event; none of a body that is none. */
export const eventFrom = (id: string, body: string): Option.Option<ReceivedEvent> =>
  Option.map(decodeBody(body), (event) => ({ id, ...event }))

/** An event in a line: when, what, of what, its id. */
export const eventLine = ({ data, id, timestamp, type }: ReceivedEvent): string => {
  const details = Object.entries(data).map(([name, value]) => `${name}=${String(value)}`)
  return [timestamp, type, ...details, `id=${id}`].join("  ")
}
