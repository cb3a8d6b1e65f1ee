import { Webhook } from "standardwebhooks"

/** Returns the headers of a message as Standard Webhooks says: its id, the time, and a signature with each secret. */
export const signedHeaders = (id: string, body: string, secrets: ReadonlyArray<string>, at: Date) => ({
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" ")
})
