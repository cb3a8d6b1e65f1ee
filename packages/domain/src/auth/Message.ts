import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { MessageId } from "../Ids.ts"
import { MessageChannel } from "./SignIn.ts"

/** A message that is stored instead of being delivered. An SMS has no subject. */
export const Message = Schema.Struct({
  id: MessageId,
  channel: MessageChannel,
  to: Schema.String,
  subject: Schema.NullOr(Schema.String),
  text: Schema.String,
  createdAt: Timestamp
}).annotate({ identifier: "Message" })
export type Message = typeof Message.Type

/** A message of a sandbox. */
export const TestMessage = Schema.Struct({
  ...Message.fields,
  isDelivered: Schema.Boolean.annotate({
    description: "False of an SMS to a number that SMS do not reach: one of the magic values of the guide of testing"
  })
}).annotate({ identifier: "TestMessage" })
export type TestMessage = typeof TestMessage.Type

/** There is no mailbox: messages are really delivered, or this is production. */
export class MailboxAbsent extends Schema.TaggedError<MailboxAbsent>()("MailboxAbsent", {}) {}
