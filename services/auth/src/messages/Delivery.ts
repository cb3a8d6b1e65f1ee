import type { Message } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { ServiceConfig } from "@care/service-kit"
import { Context, Data, DateTime, Effect, Layer, Redacted } from "effect"
import { AuthSettings } from "../AuthSettings.ts"
import { makeMessagesRepo } from "./MessagesRepo.ts"
import { makeSmsSender } from "./makeSmsSender.ts"
import { makeSmtpSender } from "./makeSmtpSender.ts"

/** A message of an organization on its way. Its id is the same each time it is tried. */
export type OutgoingMessage = Omit<Message, "createdAt"> & { readonly organizationId: OrganizationId }

/** A message was not taken. `reason` quotes nothing of it. */
export class DeliveryFailed extends Data.TaggedError("DeliveryFailed")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** Sends one message, or fails so that it is tried again. */
export type Send = (message: OutgoingMessage) => Effect.Effect<void, DeliveryFailed>

/**
 * How messages leave: email by SMTP and SMS by an HTTP API when their URLs are configured, and into the local mailbox
 * when neither is. In production there is no mailbox.
 */
export class Delivery extends Context.Service<Delivery, { readonly send: Send; readonly hasMailbox: boolean }>()(
  "@care/auth/messages/Delivery"
) {
  static readonly layer = Layer.effect(
    Delivery,
    Effect.gen(function* () {
      const { smsApiUrl, smtpUrl } = yield* AuthSettings
      const { isProduction } = yield* ServiceConfig
      const repo = yield* makeMessagesRepo
      if (smtpUrl === undefined && smsApiUrl === undefined && !isProduction) {
        const send: Send = (message) => Effect.flatMap(DateTime.nowAsDate, (now) => repo.insert(message, now))
        return Delivery.of({ send, hasMailbox: true })
      }

      const off = (channel: string, variable: string) =>
        Effect.as(
          Effect.logWarning(`${channel} is not delivered: set ${variable}`),
          (): Effect.Effect<void, DeliveryFailed> =>
            Effect.fail(new DeliveryFailed({ reason: `${channel} is not delivered: ${variable} is not set` }))
        )
      const sendEmail =
        smtpUrl === undefined ? yield* off("Email", "SMTP_URL") : yield* makeSmtpSender(Redacted.value(smtpUrl))
      const sendSms =
        smsApiUrl === undefined ? yield* off("SMS", "SMS_API_URL") : yield* makeSmsSender(Redacted.value(smsApiUrl))
      return Delivery.of({
        send: (message) => (message.channel === "EMAIL" ? sendEmail(message) : sendSms(message)),
        hasMailbox: false
      })
    })
  )
}
