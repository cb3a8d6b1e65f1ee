import { randomUUID } from "node:crypto"
import { Schema } from "effect"
import { Webhook } from "standardwebhooks"

/**
 * What happens to an order. `id` is the event's and `timestamp` when it happened: new ones unless given. It is told by a callback, unless
 * that is to be lost.
 */
export const Update = Schema.Struct({
  id: Schema.optional(Schema.String),
  timestamp: Schema.optional(Schema.String),
  isLost: Schema.optional(Schema.Boolean),
  data: Schema.Record(Schema.String, Schema.Unknown)
})

/** An event as callbacks tell it, and as the list of changes shows it. */
export const Change = Schema.Struct({
  id: Schema.String,
  event: Schema.Struct({
    type: Schema.Literal("order.updated"),
    timestamp: Schema.String,
    data: Schema.Record(Schema.String, Schema.Unknown)
  })
})
export type Change = typeof Change.Type

export const changeOf = (
  externalId: string,
  { data, id = randomUUID(), timestamp = new Date().toISOString() }: typeof Update.Type
): Change => ({ id, event: { type: "order.updated", timestamp, data: { ...data, externalId } } })

interface Callback {
  readonly url: string
  readonly secret: string
}

/** Sends an event as a signed callback: the status that it is answered with. */
export const sendChange = async ({ secret, url }: Callback, { event, id }: Change): Promise<number> => {
  const body = JSON.stringify(event)
  const sentAt = new Date()
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(id, sentAt, body)
    },
    body
  })
  await answer.arrayBuffer()
  return answer.status
}
