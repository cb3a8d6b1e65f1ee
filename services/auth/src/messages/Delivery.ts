import { Job } from "@care/jobs"
import { makePatientKeys } from "@care/phi"
import { makeModes, ServiceConfig, Time } from "@care/service-kit"
import { Context, Effect, Layer, Redacted } from "effect"
import { AuthSettings } from "../AuthSettings.ts"
import { makeMessagesRepo } from "./MessagesRepo.ts"
import { makeSmsSender } from "./makeSmsSender.ts"
import { makeSmtpSender } from "./makeSmtpSender.ts"
import { DeliveryFailed, type OutgoingMessage, type Send } from "./OutgoingMessage.ts"

// Names of organizations and people must not begin a header or another line.
const inOneLine = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")

const sanitized = (message: OutgoingMessage): OutgoingMessage => ({
  ...message,
  subject: message.subject === null ? null : inOneLine(message.subject),
  text: inOneLine(message.text)
})

/** The newest messages of a sandbox that are stored. */
export const messagesOfSandbox = 1000

/**
 * Sends messages: email by SMTP, and SMS by an HTTP API, when their URLs are configured. Without either, messages go to the local
 * mailbox, except in production. Those of a sandbox are always stored instead, also in production, encrypted.
 */
export class Delivery extends Context.Service<
  Delivery,
  {
    /** Sends one message, or fails so that its job is tried again. A message to an erased patient is neither sent nor stored. */
    readonly send: (message: OutgoingMessage) => Effect.Effect<void, DeliveryFailed | Job.JobCancelled>
    readonly hasMailbox: boolean
  }
>()("@care/auth/messages/Delivery") {
  static readonly layer = Layer.effect(
    Delivery,
    Effect.gen(function* () {
      const { smsApiUrl, smtpUrl } = yield* AuthSettings
      const { isProduction } = yield* ServiceConfig
      const modes = yield* makeModes
      const repo = yield* makeMessagesRepo
      const store: Send = (message) => Effect.flatMap(Time.nowAsDate, (now) => repo.insert(sanitized(message), now))
      const storeOfSandbox: Send = (message) =>
        Effect.andThen(
          Effect.flatMap(Time.nowAsDate, (now) => repo.insertSealed(sanitized(message), now)),
          repo.removeOlder(message.organizationId, messagesOfSandbox)
        )
      const sendBy = (live: Delivery["Service"]["send"]): Delivery["Service"]["send"] =>
        Effect.fnUntraced(function* (message) {
          const send = yield* modes.choose({ live, test: storeOfSandbox }, message.organizationId)
          return yield* send(message)
        })
      if (smtpUrl === undefined && smsApiUrl === undefined && !isProduction) {
        return Delivery.of({ send: sendBy(store), hasMailbox: true })
      }

      const keys = yield* makePatientKeys
      const refuseErased = Effect.fnUntraced(function* ({ organizationId, userId }: OutgoingMessage) {
        if (userId === null || !(yield* keys.isErased(organizationId, userId))) return
        return yield* new Job.JobCancelled({ reason: "the patient whom the message is to was erased" })
      })

      const makeDisabledSender = (channel: string, variable: string) =>
        Effect.as(
          Effect.logWarning(`${channel} is not delivered: set ${variable}`),
          (): Effect.Effect<void, DeliveryFailed> =>
            Effect.fail(new DeliveryFailed({ reason: `${channel} is not delivered: ${variable} is not set` }))
        )
      const sendEmail =
        smtpUrl === undefined
          ? yield* makeDisabledSender("Email", "SMTP_URL")
          : yield* makeSmtpSender(Redacted.value(smtpUrl))
      const sendSms =
        smsApiUrl === undefined
          ? yield* makeDisabledSender("SMS", "SMS_API_URL")
          : yield* makeSmsSender(Redacted.value(smsApiUrl))
      const send: Send = (message) => (message.channel === "EMAIL" ? sendEmail : sendSms)(sanitized(message))
      return Delivery.of({
        send: sendBy((message) => Effect.andThen(refuseErased(message), send(message))),
        hasMailbox: false
      })
    })
  )
}
