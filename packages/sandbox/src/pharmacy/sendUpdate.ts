import { randomUUID } from "node:crypto"
import { Schema } from "effect"
import { Webhook } from "standardwebhooks"

/** What the pharmacy is to tell of an order. `id` is the event's and `timestamp` when it happened: new ones unless given. */
export const Update = Schema.Struct({
  id: Schema.optional(Schema.String),
  timestamp: Schema.optional(Schema.String),
  data: Schema.Record(Schema.String, Schema.Unknown)
})

interface Callback {
  readonly url: string
  readonly secret: string
}

/** Sends a signed update of an order: the status that it is answered with. */
export const sendUpdate = async (
  { secret, url }: Callback,
  externalId: string,
  { data, id = randomUUID(), timestamp = new Date().toISOString() }: typeof Update.Type
): Promise<number> => {
  const body = JSON.stringify({ type: "order.updated", timestamp, data: { ...data, externalId } })
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
