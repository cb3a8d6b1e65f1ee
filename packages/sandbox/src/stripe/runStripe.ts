import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { Clock, Effect } from "effect"
import { StartFailed } from "../start/StartFailed.ts"
import { Api } from "./Api.ts"
import { authorizePage, pressed } from "./authorizePage.ts"
import { Books } from "./Books.ts"
import { expireHolds } from "./cancelPayment.ts"
import { control } from "./control.ts"
import { Deliveries, type Webhook } from "./Deliveries.ts"
import { errorAnswer, failed } from "./errorAnswer.ts"
import { IdempotencyKeys } from "./IdempotencyKeys.ts"
import { newId } from "./ids.ts"
import { Received } from "./Received.ts"
import { Refusal } from "./Refusal.ts"
import { Troubles } from "./Troubles.ts"

export interface StripeOptions {
  /** 0 is any that is free. */
  readonly port: number
  /** `sk_test_...`: whoever calls it shows this. */
  readonly secretKey: string
  /** Who is told of events, and the secret that signs them: `whsec_...`. Nobody is, without it. */
  readonly webhook?: Webhook
  /** Where it keeps what it knows; without one that lives as long as it does. */
  readonly file?: string
}

const json = (
  response: ServerResponse,
  { body, headers, status }: { status: number; body: unknown; headers?: Readonly<Record<string, string>> }
): void => void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))

const secretOf = ({ headers: { authorization = "" } }: IncomingMessage): string | undefined => {
  const [scheme = "", value = ""] = authorization.split(" ")
  if (/^bearer$/i.test(scheme)) return value
  return /^basic$/i.test(scheme) ? Buffer.from(value, "base64").toString().split(":")[0] : undefined
}

const unauthorized = (given: string | undefined): Refusal =>
  new Refusal(401, {
    type: "invalid_request_error",
    message:
      given === undefined || given === ""
        ? "No API key is given: send it as 'Authorization: Bearer YOUR_SECRET_KEY'."
        : `The API key is not valid: ${given.slice(0, 8)}...${given.slice(-4)}`
  })

const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === "string" ? value : undefined
}

const makeHandler = ({ file, secretKey, webhook }: StripeOptions, now: () => number, url: () => string) => {
  const books = new Books(file)
  const deliveries = new Deliveries(books, webhook, now)
  const received = new Received()
  const troubles = new Troubles()
  const keys = new IdempotencyKeys(books)
  const api = new Api({ books, hasWebhook: webhook !== undefined, keys, now, received, troubles, url })

  let lastExpiry = 0
  // To look at every hold once in a second is often enough.
  const expire = () => {
    const call = api.call()
    if (call.now !== lastExpiry) books.transact(() => expireHolds(call))
    lastExpiry = call.now
  }

  const page = async (request: IncomingMessage, response: ServerResponse, id: string) => {
    if (request.method === "POST") {
      const result = new URLSearchParams(await text(request)).get("result")
      const location = books.transact(() => pressed(api.call(), id, result))
      return void response.writeHead(303, { location }).end()
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(authorizePage(api.call(), id))
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(request.url ?? "", url())
    const method = request.method ?? ""
    expire()
    if (pathname.startsWith("/authorize/")) return page(request, response, pathname.slice("/authorize/".length))
    const given = secretOf(request)
    if (given !== secretKey) throw unauthorized(given)
    const body = await text(request)
    if (pathname.startsWith("/control/")) {
      const parts = { api, books, deliveries, received, troubles }
      return json(response, await control(parts, method, pathname, body === "" ? {} : JSON.parse(body)))
    }
    const reply = await api.reply({
      method,
      path: pathname,
      text: method === "POST" ? body : search.slice(1),
      idempotencyKey: header(request, "idempotency-key")
    })
    if (reply === "hangUp") return void request.socket.destroy()
    if (reply !== "silence") json(response, reply)
  }

  return {
    deliveries,
    /** Ends the holds that are over. */
    expire,
    handle: (request: IncomingMessage, response: ServerResponse): void => {
      handle(request, response)
        .catch((error: unknown) => {
          const refusal = error instanceof Refusal ? error : failed(String(error))
          const id = newId("req", 14)
          json(response, { ...errorAnswer(refusal, id), headers: { "request-id": id } })
        })
        .finally(() => deliveries.wake())
    }
  }
}

const expiryMillis = 60_000

/**
 * A stand-in for Stripe, for development and tests: its API, as far as this project goes, which the official client calls
 * unchanged and whose signed events it accepts. It keeps what it knows in a file, and so goes on where it was. The paths under
 * `/control`, with the same key, are its own: `stripeControl` says what they do.
 */
export const runStripe = Effect.fnUntraced(function* (options: StripeOptions) {
  const clock = yield* Clock.Clock
  let url = `http://127.0.0.1:${options.port}`
  const { deliveries, expire, handle } = makeHandler(
    options,
    () => clock.currentTimeMillisUnsafe(),
    () => url
  )
  const server = createServer(handle)
  const address = yield* Effect.acquireRelease(
    Effect.callback<number, StartFailed>((resume) => {
      server.once("error", ({ message }) =>
        resume(new StartFailed({ message: `The stand-in for Stripe does not start: ${message}.` }))
      )
      server.listen(options.port, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : options.port))
      })
    }),
    () =>
      Effect.sync(() => {
        deliveries.close()
        server.closeAllConnections()
        server.close()
      })
  )
  url = `http://127.0.0.1:${address}`
  const timer = setInterval(() => {
    expire()
    deliveries.wake()
  }, expiryMillis).unref()
  yield* Effect.addFinalizer(() => Effect.sync(() => clearInterval(timer)))
  expire()
  deliveries.wake()
  return { url }
})
