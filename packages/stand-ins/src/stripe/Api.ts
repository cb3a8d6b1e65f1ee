import { setTimeout } from "node:timers/promises"
import type { Answer } from "../standIn/Answer.ts"
import type { Received } from "../standIn/Received.ts"
import { inTrouble, type Trouble, type Troubles } from "../standIn/Troubles.ts"
import { apiVersion, type Call } from "./Call.ts"
import { expanded, takeExpand } from "./expand.ts"
import type { IdempotencyKeys } from "./IdempotencyKeys.ts"
import { newId } from "./ids.ts"
import type { Ledger } from "./Ledger.ts"
import { type ReceivedRequest, withoutSecrets } from "./ReceivedRequest.ts"
import { errorAnswer, failed, invalid, Refusal } from "./Refusal.ts"
import { readForm } from "./readForm.ts"
import { findRoute } from "./routes.ts"

/** A request as it came. */
interface ApiRequest {
  readonly method: string
  readonly path: string
  /** The body of a POST, the query of a GET. */
  readonly text: string
  readonly idempotencyKey: string | undefined
  /** Of the API; the account's own, which is the stand-in's, when it names none. */
  readonly version: string | undefined
}

/** What whoever asked gets: an answer, none, or the end of the connection. */
export type Reply = (Answer & { readonly headers: Readonly<Record<string, string>> }) | "silence" | "hangUp"

interface Parts {
  readonly ledger: Ledger
  readonly keys: IdempotencyKeys
  readonly received: Received<ReceivedRequest>
  readonly troubles: Troubles
  readonly hasWebhook: boolean
  /** In milliseconds. */
  readonly now: () => number
  readonly url: () => string
}

const rateLimited = new Refusal(429, {
  type: "invalid_request_error",
  code: "rate_limit",
  message: "Too many requests came too quickly."
})

// What went wrong with a key goes wrong with it again: to repeat it is of no use, unless it was in use.
const repeatHeaders = (status: number) => ({
  ...(status === 409 && { "stripe-should-retry": "true" }),
  ...(status === 500 && { "stripe-should-retry": "false" })
})

const otherVersion = (version: string): Refusal =>
  invalid(`Invalid Stripe API version: ${version}. The stand-in speaks ${apiVersion} alone.`)

const unknownUrl = (method: string, path: string): Refusal =>
  new Refusal(404, { type: "invalid_request_error", message: `Unrecognized request URL (${method}: ${path}).` })

/** Stripe's API, as far as the stand-in has it. */
export class Api {
  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** What an operation works with, when a request asks for it or nobody does. */
  call(request: Call["request"] = { id: null, idempotency_key: null }): Call {
    const { ledger, hasWebhook, now, url } = this.parts
    return { ledger, hasWebhook, now: Math.floor(now() / 1000), url: url(), request }
  }

  async reply(request: ApiRequest): Promise<Reply> {
    const { idempotencyKey, method, path, text } = request
    const params = withoutSecrets(readForm(text))
    this.parts.received.add({ method, path, idempotencyKey: idempotencyKey ?? null, params })
    const trouble = this.parts.troubles.take(method, path)
    return inTrouble(trouble, () => this.answered(request, trouble))
  }

  private async answered(request: ApiRequest, trouble: Trouble | undefined) {
    const id = newId("req", 14)
    const key = request.method === "POST" ? request.idempotencyKey : undefined
    const { replayed, ...answer } = await this.once(request, key, id, trouble).catch((error: unknown) => ({
      ...errorAnswer(error instanceof Refusal ? error : failed(String(error)), id),
      replayed: undefined
    }))
    const headers = {
      "request-id": id,
      "stripe-version": apiVersion,
      ...(key !== undefined && { "idempotency-key": key, ...repeatHeaders(answer.status) }),
      ...(replayed !== undefined && { "idempotent-replayed": "true", "original-request": replayed })
    }
    return { ...answer, headers }
  }

  private async once(request: ApiRequest, key: string | undefined, id: string, trouble: Trouble | undefined) {
    const { keys, now } = this.parts
    if (trouble?.does === "rateLimit") throw rateLimited
    if (request.version !== undefined && request.version !== apiVersion) throw otherVersion(request.version)
    const endpoint = `${request.method} ${request.path}`
    const kept = key === undefined ? undefined : keys.begin(key, endpoint, request.text, Math.floor(now() / 1000))
    if (kept !== undefined) return { status: kept.status, body: kept.body, replayed: kept.requestId }
    try {
      const run = this.prepare(request)
      if (trouble?.does === "delay") await setTimeout(trouble.millis, undefined, { ref: false })
      return { ...this.run(run, request, key, id, trouble), replayed: undefined }
    } finally {
      if (key !== undefined) keys.end(key)
    }
  }

  private prepare({ method, path, text }: ApiRequest) {
    const found = findRoute(method, path)
    if (found === undefined) throw unknownUrl(method, path)
    const { form, paths } = takeExpand(readForm(text))
    const run = found.route.prepare(form, found.id)
    return (call: Call) => {
      const result = run(call)
      return result instanceof Refusal ? result : expanded(call.ledger, result, paths)
    }
  }

  /** Does what was asked for, and keeps what it is answered: both or neither. */
  private run(
    work: (call: Call) => unknown,
    { method, path, text }: ApiRequest,
    key: string | undefined,
    id: string,
    trouble: Trouble | undefined
  ): Answer {
    const { ledger, keys } = this.parts
    const call = this.call({ id, idempotency_key: key ?? null })
    const keep = (answer: Answer): Answer => {
      if (key !== undefined) {
        keys.keep(key, text, { ...answer, created: call.now, endpoint: `${method} ${path}`, requestId: id })
      }
      return answer
    }
    try {
      return ledger.transact(() => {
        if (trouble?.does === "failBefore") throw failed()
        const result = work(call)
        if (trouble?.does === "failAfter") return keep(errorAnswer(failed(), id))
        return keep(result instanceof Refusal ? errorAnswer(result, id) : { status: 200, body: result })
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return ledger.transact(() => keep(errorAnswer(error, id)))
    }
  }
}
