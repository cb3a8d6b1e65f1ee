import { Effect } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { DeliveryFailed, type Send } from "./OutgoingMessage.ts"

/**
 * Makes a sender of SMS through an HTTP API: `POST` of `{ "to", "text" }` as JSON. The `Idempotency-Key` keeps a repeated attempt from
 * sending twice. Credentials in the URL become an `Authorization: Basic` header.
 */
export const makeSmsSender = Effect.fnUntraced(function* (smsApiUrl: string) {
  const client = yield* HttpClient.HttpClient
  const url = new URL(smsApiUrl)
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  url.username = ""
  url.password = ""

  const send: Send = ({ id, text, to }) =>
    HttpClientRequest.post(url).pipe(
      HttpClientRequest.setHeader("idempotency-key", id),
      user === "" ? (request) => request : HttpClientRequest.basicAuth(user, password),
      HttpClientRequest.bodyJsonUnsafe({ to, text }),
      client.execute,
      Effect.timeout("10 seconds"),
      // The client's span would record the URL, which may hold a token.
      Effect.withTracerEnabled(false),
      Effect.mapError(() => new DeliveryFailed({ reason: "The SMS API did not answer" })),
      Effect.filterOrFail(
        ({ status }) => status >= 200 && status < 300,
        ({ status }) => new DeliveryFailed({ reason: `The SMS API answered ${status}` })
      ),
      Effect.asVoid
    )
  return send
})
