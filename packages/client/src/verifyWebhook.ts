import type { WebhookBody } from "./generated.ts"

/** An event that was verified. `id` is the same in every attempt, and when the event is sent again: keep it to act on an event once. */
export type CareEvent = WebhookBody & { readonly id: string }

/** The headers of a request, as `Request` or as Node.js has them. */
export type WebhookHeaders = Pick<Headers, "get"> | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A request that is no event of ours. Answer it with 400. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused"
  readonly code: "HEADERS_MISSING" | "TIMESTAMP_OUTSIDE" | "SIGNATURE_WRONG" | "BODY_INVALID"

  constructor(code: WebhookRefused["code"], message: string) {
    super(message)
    this.code = code
  }
}

/** What a verification may set. */
export interface VerifyOptions {
  /** How far the time of a request may be from now: 300 if not given. */
  readonly toleranceSeconds?: number | undefined
}

const isHeaders = (headers: WebhookHeaders): headers is Pick<Headers, "get"> => typeof headers["get"] === "function"

const headerOf = (headers: WebhookHeaders, name: string): string => {
  if (isHeaders(headers)) return headers.get(name) ?? ""
  const [, value = ""] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === "string" ? value : (value[0] ?? "")
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

const keyOf = (secret: string) => {
  const bytes = bytesOf(secret.replace(/^whsec_/, ""))
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError("The secret has to be that of the endpoint: whsec_...")
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
}

const rawOf = (body: string | ArrayBuffer | Uint8Array): Uint8Array => {
  if (typeof body === "string") return new TextEncoder().encode(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  // A buffer of another realm is no instance of this one's class.
  if (!/ArrayBuffer\]$/.test(Object.prototype.toString.call(body))) {
    throw new TypeError("The body has to be the raw body of the request, not what was parsed of it")
  }
  return new Uint8Array(body)
}

const joined = (start: Uint8Array, rest: Uint8Array): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(start.length + rest.length)
  bytes.set(start)
  bytes.set(rest, start.length)
  return bytes
}

// Takes as long for any two signatures of one length.
const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length &&
  one.reduce((different, byte, index) => different | (byte ^ (other[index] ?? 0)), 0) === 0

const isEvent = (value: unknown): value is WebhookBody =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string" && "data" in value

const eventIn = (bytes: Uint8Array): WebhookBody => {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (isEvent(value)) return value
  } catch {
    // It is refused below.
  }
  throw new WebhookRefused("BODY_INVALID", "The body is no event")
}

/**
 * Verifies a webhook request by the rules of Standard Webhooks, and returns its event. `body` is the raw body. `secret` is that of the
 * endpoint, or several of them. Rejects with `WebhookRefused`.
 */
export const verifyWebhook = async (
  body: string | ArrayBuffer | Uint8Array,
  headers: WebhookHeaders,
  secret: string | ReadonlyArray<string>,
  { toleranceSeconds = 300 }: VerifyOptions = {}
): Promise<CareEvent> => {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headerOf(headers, name)
  )
  if (!id || !timestamp || !signatures) {
    throw new WebhookRefused("HEADERS_MISSING", "webhook-id, webhook-timestamp or webhook-signature is missing")
  }
  const isNear = Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds
  if (!/^\d+$/.test(timestamp) || !isNear) {
    throw new WebhookRefused("TIMESTAMP_OUTSIDE", "The time of the request is too far from now")
  }
  const raw = rawOf(body)
  const bytes = joined(new TextEncoder().encode(`${id}.${timestamp}.`), raw)
  const given = signatures.split(" ").flatMap((each) => (each.startsWith("v1,") ? (bytesOf(each.slice(3)) ?? []) : []))
  const keys = await Promise.all((typeof secret === "string" ? [secret] : secret).map(keyOf))
  for (const key of keys) {
    const expected = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes))
    if (given.some((signature) => isSame(signature, expected))) return { ...eventIn(raw), id }
  }
  throw new WebhookRefused("SIGNATURE_WRONG", "No signature of the request fits the secret")
}
