import { Effect, Predicate } from "effect"
import { createTransport } from "nodemailer"
import { DeliveryFailed, type Send } from "./OutgoingMessage.ts"

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

// Only the code of an answer is logged, because mail servers quote the address.
const reasonOf = (error: unknown): string =>
  [
    "The mail server did not take the message",
    Predicate.hasProperty(error, "code") ? String(error.code) : "",
    Predicate.hasProperty(error, "responseCode") ? String(error.responseCode) : ""
  ]
    .filter((part) => part !== "")
    .join(" ")

/**
 * Makes a sender of email by SMTP. The URL is `smtp://user:password@host:port`, or `smtps:` for TLS from the start; `?from=` is the
 * sender's address.
 */
export const makeSmtpSender = Effect.fnUntraced(function* (smtpUrl: string) {
  const url = new URL(smtpUrl)
  const from = url.searchParams.get("from") ?? `no-reply@${url.hostname}`
  const transport = yield* Effect.acquireRelease(
    Effect.sync(() =>
      createTransport({
        pool: true,
        secure: url.protocol === "smtps:",
        host: url.hostname,
        port: url.port === "" ? (url.protocol === "smtps:" ? 465 : 587) : Number(url.port),
        ...(url.username !== "" && {
          auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
        }),
        ...timeouts
      })
    ),
    (opened) => Effect.sync(() => opened.close())
  )

  // The receiver is an object, because a text would be parsed as a list of names and addresses.
  const send: Send = ({ id, subject, text, to }) =>
    Effect.tryPromise({
      try: () =>
        transport.sendMail({
          from,
          to: { name: "", address: to },
          subject: subject ?? "",
          text,
          messageId: `<${id}@${url.hostname}>`
        }),
      catch: (error) => new DeliveryFailed({ reason: reasonOf(error) })
    })
  return send
})
