import { Context, type Duration, Effect, Layer, Predicate } from "effect"
import { type Agent, request } from "undici"
import { ServiceConfig } from "../config/ServiceConfig.ts"
import { outsideTransaction } from "../sql/transactions.ts"
import { EgressFailed, EgressRefused } from "./egressErrors.ts"
import { AddressRefused, makeGuardedAgent, type Resolve, systemResolve } from "./guardedAgent.ts"
import { isLoopbackAddress, isPublicAddress } from "./isPublicAddress.ts"

export interface Download {
  readonly bytes: Buffer
  readonly contentType: string | undefined
}

/** A request to a URL, the most bytes of its answer, and its time limit. */
interface PostRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly maxBytes: number
  readonly within: Duration.Duration
}

/** An answer of any status; redirects are not followed. `text` is the first `maxBytes` of the body. */
interface PostAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly text: string
}

/** A request as `fetch` takes it. */
interface FetchRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: ConstructorParameters<typeof Response>[0]
  readonly signal?: AbortSignal | undefined
}

const maxDownloadMillis = 30_000

const maxFetchedBytes = 1024 * 1024

const privateAddress = new EgressRefused({ reason: "must not lead to a private address" })

const isAddressRefused = (error: unknown): boolean =>
  error instanceof AddressRefused || (Predicate.hasProperty(error, "cause") && error.cause instanceof AddressRefused)

const failed = (reason: string, isRetryable: boolean) => new EgressFailed({ reason, isRetryable })

// Reads the beginning of a body, and closes the connection if there is more, which may never end.
const readFirst = async (body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

const textOf = (header: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof header === "string" ? header : header?.[0]

const failureOf = (error: unknown) => (isAddressRefused(error) ? privateAddress : failed("did not answer", true))

const send = (
  url: string,
  { body: requestBody, headers: requestHeaders, maxBytes, within }: PostRequest,
  dispatcher: Agent
) =>
  Effect.tryPromise({
    try: async (signal): Promise<PostAnswer> => {
      const { body, headers, statusCode } = await request(url, {
        dispatcher,
        signal,
        method: "POST",
        headers: requestHeaders,
        body: requestBody
      })
      body.on("error", () => {})
      return {
        status: statusCode,
        retryAfter: textOf(headers["retry-after"]),
        text: (await readFirst(body, maxBytes)).toString("utf8")
      }
    },
    catch: failureOf
  }).pipe(
    // All failures take the full time and look the same, so that the user who chose the URL cannot find out whether a port is
    // closed, filtered or open.
    Effect.catchTag("EgressFailed", () => Effect.never),
    Effect.timeoutOrElse({ duration: within, orElse: () => failed("did not answer", true) })
  )

const get = (url: string, maxBytes: number, dispatcher: Agent) =>
  Effect.tryPromise({
    try: async (signal): Promise<Download> => {
      const { body, headers, statusCode } = await request(url, { dispatcher, signal })
      // Without a listener, an error of a body that is no longer read would end the process.
      body.on("error", () => {})
      if (statusCode < 200 || statusCode > 299) {
        body.destroy()
        throw failed(`answered ${statusCode}`, statusCode >= 500 || statusCode === 408 || statusCode === 429)
      }
      const bytes = await readFirst(body, maxBytes + 1)
      if (bytes.length > maxBytes) throw failed("has too many bytes", false)
      return { bytes, contentType: textOf(headers["content-type"]) }
    },
    catch: (error) => (error instanceof EgressFailed ? error : failureOf(error))
  })

const fetchBy =
  (dispatcher: Agent, refusalOf: (url: string) => EgressRefused | undefined) =>
  async (url: string, { body: sent, headers, method, signal }: FetchRequest): Promise<Response> => {
    const refusal = refusalOf(url)
    if (refusal !== undefined) throw refusal
    try {
      const answer = await request(url, {
        dispatcher,
        method,
        headers: { ...headers },
        ...(signal !== undefined && { signal }),
        body: sent === null || sent === undefined ? null : await new Response(sent).text()
      })
      answer.body.on("error", () => {})
      const bytes = await readFirst(answer.body, maxFetchedBytes + 1)
      if (bytes.length > maxFetchedBytes) throw failed("has too many bytes", false)
      return new Response(bytes, {
        status: answer.statusCode,
        headers: { "content-type": textOf(answer.headers["content-type"]) ?? "" }
      })
    } catch (error) {
      throw error instanceof EgressFailed ? error : failureOf(error)
    }
  }

/** Calls URLs that a user chose: only https at public addresses, without redirects. Development allows http and this machine. */
export class Egress extends Context.Service<
  Egress,
  {
    /** Checks a URL without any network call. */
    readonly check: (url: string) => Effect.Effect<void, EgressRefused>
    /** Downloads a file. Dies inside a database transaction, which would wait for another server. */
    readonly download: (url: string, maxBytes: number) => Effect.Effect<Download, EgressRefused | EgressFailed>
    /** Posts to a URL. Dies inside a transaction. All failures take the full time. The span has nothing of the URL. */
    readonly post: (url: string, posting: PostRequest) => Effect.Effect<PostAnswer, EgressRefused | EgressFailed>
    /** The `fetch` of a library. Its answers have a status, a type and at most a mebibyte. The caller limits the time, by the signal. */
    readonly fetch: (url: string, request: FetchRequest) => Promise<Response>
  }
>()("@care/service-kit/egress/Egress") {
  /** Provides egress with a strictness and a resolver, which tests change. */
  static readonly layerWith = ({
    isProduction,
    resolve
  }: {
    readonly isProduction: boolean
    readonly resolve: Resolve
  }) =>
    Layer.effect(
      Egress,
      Effect.gen(function* () {
        const isAllowed = (address: string) => isPublicAddress(address) || (!isProduction && isLoopbackAddress(address))
        const agent = yield* makeGuardedAgent(isAllowed, resolve)
        const requireNoTransaction = yield* outsideTransaction("A URL was called")

        const refusalOf = (text: string): EgressRefused | undefined => {
          if (!URL.canParse(text)) return new EgressRefused({ reason: "must be a URL" })
          const { hostname, password, port, protocol, username } = new URL(text)
          if (protocol !== "https:" && (isProduction || protocol !== "http:")) {
            return new EgressRefused({ reason: "must be an https URL" })
          }
          if (username !== "" || password !== "") return new EgressRefused({ reason: "must not contain credentials" })
          if (port === "0") return new EgressRefused({ reason: "must not be at port 0" })
          // An address in the URL needs no resolver, so it is checked here.
          const literal = hostname.replace(/^\[|\]$/g, "")
          return /^[\d.]+$|:/.test(literal) && !isAllowed(literal) ? privateAddress : undefined
        }

        const check = (text: string) =>
          Effect.suspend(() => {
            const refusal = refusalOf(text)
            return refusal === undefined ? Effect.void : Effect.fail(refusal)
          })

        return Egress.of({
          check,
          download: Effect.fn("Egress.download")(function* (url, maxBytes) {
            yield* requireNoTransaction
            yield* check(url)
            return yield* get(url, maxBytes, agent).pipe(
              Effect.timeoutOrElse({ duration: maxDownloadMillis, orElse: () => failed("took too long", true) })
            )
          }),
          post: Effect.fn("Egress.post")(function* (url, posting) {
            yield* requireNoTransaction
            yield* check(url)
            return yield* send(url, posting, agent)
          }),
          fetch: fetchBy(agent, refusalOf)
        })
      })
    )

  static readonly layer = Layer.unwrap(
    Effect.map(ServiceConfig, ({ isProduction }) => Egress.layerWith({ isProduction, resolve: systemResolve }))
  )
}
