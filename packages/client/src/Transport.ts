import type { CallOptions } from "./CallOptions.ts"
import { CareError, refusalOf } from "./CareError.ts"
import { type Operations, routes } from "./generated.ts"

/** The settings of a client. */
export interface CareOptions {
  /** The API key of your organization. Keep it on your servers. */
  readonly apiKey: string
  /** Where the API is, such as `https://api.example.com`. */
  readonly baseUrl: string
  /** Sends the requests instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** The time for each attempt, in milliseconds: 30,000 if not given. */
  readonly timeoutMs?: number | undefined
  /** How often a failed attempt is repeated: twice if not given. */
  readonly maxRetries?: number | undefined
  /** The version of the API, a date. Without it, the version of your organization. */
  readonly version?: string | undefined
}

interface Input {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  readonly body?: object | undefined
}

const firstDelayMs = 500
const longestDelayMs = 8000
// A server that wants a longer pause than this is for the caller to wait for.
const longestRetryAfterMs = 60_000
// A timer of more fires at once.
const longestTimerMs = 2 ** 31 - 1

const pause = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, millis)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener("abort", stop, { once: true })
  })

const retryAfterMs = (headers: Headers): number | undefined => {
  const value = headers.get("retry-after")?.trim() ?? ""
  const millis = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(millis) ? undefined : Math.max(0, millis)
}

/** Returns a random delay that doubles with each attempt. */
const delayMs = (attempt: number): number =>
  Math.min(longestDelayMs, firstDelayMs * 2 ** attempt) * (0.75 + Math.random() / 4)

const parsed = (text: string): { readonly body: unknown; readonly isJson: boolean } => {
  if (text === "") return { body: undefined, isJson: true }
  try {
    return { body: JSON.parse(text), isJson: true }
  } catch {
    return { body: text, isJson: false }
  }
}

const search = (query: Input["query"] = {}): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  const text = String(parameters)
  return text === "" ? "" : `?${text}`
}

/** Returns a path with its ids. One that is no part of a path would lead to another operation. */
const pathWith = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? ""
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} has to be an id`)
    return encodeURIComponent(value)
  })

const isWebAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { hash, protocol, search, username } = new URL(text)
  return /^https?:$/.test(protocol) && `${username}${search}${hash}` === ""
}

/** The failure of an attempt, and the pause before the next one that the server wants. */
interface Failure {
  readonly error: CareError
  readonly mayRepeat: boolean
  readonly afterMs?: number | undefined
}

/** Sends requests: with the key, a time limit and repeated attempts. */
export class Transport {
  // Private, so that neither errors nor `inspect` show the key.
  readonly #apiKey: string
  readonly #baseUrl: string
  readonly #fetch: typeof globalThis.fetch
  readonly #timeoutMs: number
  readonly #maxRetries: number
  readonly #version: string | undefined

  constructor({ apiKey, baseUrl, fetch, maxRetries = 2, timeoutMs = 30_000, version }: CareOptions) {
    // An error of `fetch` about a header quotes it.
    if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError("apiKey is missing, or has characters that no key has")
    if (!isWebAddress(baseUrl)) throw new TypeError("baseUrl has to be a URL, such as https://api.example.com")
    this.#apiKey = apiKey
    this.#baseUrl = baseUrl.replace(/\/+$/, "")
    this.#fetch = fetch ?? ((...args) => globalThis.fetch(...args))
    this.#timeoutMs = timeoutMs
    this.#maxRetries = maxRetries
    this.#version = version
  }

  /** Sends an operation, and returns the body of its answer. Rejects with a `CareError`, or with the reason of the caller's signal. */
  async send<Id extends keyof Operations>(
    id: Id,
    input: Operations[Id]["input"],
    options: CallOptions = {}
  ): Promise<Operations[Id]["answer"]> {
    const { action, isKeyed = false, method, path } = routes[id]
    const { body, params = {}, query }: Input = input
    const url = `${this.#baseUrl}${pathWith(path, params)}${search(query)}`
    const sent = action === undefined ? body : { ...body, action }
    const headers = new Headers(options.headers)
    const set = (name: string, value: string | undefined) => value !== undefined && headers.set(name, value)
    headers.set("accept", "application/json")
    set("content-type", sent && "application/json")
    if (!headers.has("care-version")) set("care-version", this.#version)
    set("idempotency-key", options.idempotencyKey)
    // A key in the body names the operation already.
    const isNamed = body !== undefined && "idempotencyKey" in body && typeof body.idempotencyKey === "string"
    if (isKeyed && !isNamed && !headers.has("idempotency-key")) headers.set("idempotency-key", crypto.randomUUID())
    headers.set("cv-api-key", this.#apiKey)
    const request = { method, headers, ...(sent !== undefined && { body: JSON.stringify(sent) }) }
    // Nothing happens twice: it changes nothing, or sets what is, or has a key.
    const isSafe = isKeyed || method !== "POST"
    const maxRetries = options.maxRetries ?? this.#maxRetries
    for (let attempt = 0; ; attempt += 1) {
      options.signal?.throwIfAborted()
      const result = await this.#attempt(id, url, request, options, isSafe)
      if ("answer" in result) {
        // The document, which the types are generated from, promises this form.
        return result.answer as Operations[Id]["answer"]
      }
      const { afterMs = delayMs(attempt), error, mayRepeat } = result
      if (!mayRepeat || attempt >= maxRetries || afterMs > longestRetryAfterMs) throw error
      await pause(afterMs, options.signal)
    }
  }

  async #attempt(
    operation: string,
    url: string,
    request: RequestInit,
    { signal, timeoutMs = this.#timeoutMs }: CallOptions,
    isSafe: boolean
  ): Promise<Failure | { readonly answer: unknown }> {
    const controller = new AbortController()
    const stop = () => controller.abort()
    let isLate = false
    const timer = setTimeout(
      () => {
        isLate = true
        stop()
      },
      Math.min(timeoutMs, longestTimerMs)
    )
    signal?.addEventListener("abort", stop)
    try {
      // Some run-times refuse `redirect: "error"`. The key is for the API alone: no redirect is followed.
      const response = await this.#fetch(url, { ...request, signal: controller.signal, redirect: "manual" })
      const { body, isJson } = parsed(await response.text())
      if (response.ok && isJson) return { answer: body }
      // A 429 did nothing. After the others, also after a 503 of a service that went away in the middle, something may have happened.
      const mayRepeat = isSafe || response.status === 429
      const error = refusalOf(operation, response, body)
      return { error, mayRepeat: error.isRetryable && mayRepeat, afterMs: retryAfterMs(response.headers) }
    } catch (cause) {
      signal?.throwIfAborted()
      const [code, message] = isLate
        ? ["TIMEOUT", `${operation} had no answer after ${timeoutMs} ms`]
        : ["NETWORK", `${operation} got no answer: the connection failed`]
      return { error: new CareError({ code, message, operation, isRetryable: true, cause }), mayRepeat: isSafe }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener("abort", stop)
    }
  }
}
