import { setTimeout } from "node:timers/promises"
import type { StandIn } from "../standIn/StandIn.ts"
import type { Incoming, Reply, StandInAnswer } from "../standIn/serveStandIn.ts"
import type { Trouble } from "../standIn/Troubles.ts"
import { type Call, eventApiVersion } from "./Call.ts"
import { expanded, takeExpand } from "./expand.ts"
import { IdempotencyKeys } from "./IdempotencyKeys.ts"
import { newId } from "./ids.ts"
import type { Ledger } from "./Ledger.ts"
import { errorAnswer, failed, invalid, Refusal } from "./Refusal.ts"
import { type ReceivedRequest, readForm, withoutSecrets } from "./readForm.ts"
import { findRoute } from "./routes.ts"

interface ApiRequest {
  readonly id: string
  readonly endpoint: string
  /** The body of a POST, the query of a GET. */
  readonly text: string
  /** The `Idempotency-Key` of a POST. */
  readonly key: string | undefined
  readonly version: string | undefined
  readonly url: string
  readonly trouble: Trouble | undefined
}

const rateLimited = new Refusal(429, {
  type: "invalid_request_error",
  code: "rate_limit",
  message: "Too many requests came too quickly."
})

// An error is stored with its key, so that a retry is useless, unless the key was in use.
const retryHeaders = (status: number) => ({
  ...(status === 409 && { "stripe-should-retry": "true" }),
  ...(status === 500 && { "stripe-should-retry": "false" })
})

// Reads the request, and returns its work.
const prepare = (method: string, path: string, text: string) => {
  const found = findRoute(method, path)
  if (found === undefined) {
    const message = `Unrecognized request URL (${method}: ${path}).`
    throw new Refusal(404, { type: "invalid_request_error", message })
  }
  const { form, paths } = takeExpand(readForm(text))
  const run = found.route.prepare(form, found.id)
  return (call: Call) => {
    const result = run(call)
    return result instanceof Refusal ? result : expanded(call.ledger, result, paths)
  }
}

const header = (headers: Incoming["headers"], name: string): string | undefined => {
  const value = headers[name]
  return typeof value === "string" ? value : undefined
}

/** Makes the function that replies to the requests of Stripe's API. */
export const makeApi = (
  ledger: Ledger,
  standIn: StandIn<ReceivedRequest>,
  callOf: (url: string, request: Call["request"]) => Call
) => {
  const keys = new IdempotencyKeys(ledger)

  // Stores the changes of the work and its answer together. Of a thrown refusal the answer alone is stored.
  const perform = (
    work: (call: Call) => unknown,
    { endpoint, id, key, text, trouble, url }: ApiRequest
  ): StandInAnswer => {
    const call = callOf(url, { id, idempotency_key: key ?? null })
    const store = (answer: StandInAnswer): StandInAnswer => {
      if (key !== undefined) keys.store(key, text, { ...answer, created: call.now, endpoint, requestId: id })
      return answer
    }
    try {
      return ledger.transact(() => {
        if (trouble?.does === "failBefore") throw failed()
        const result = work(call)
        if (trouble?.does === "failAfter") return store(errorAnswer(failed(), id))
        return store(result instanceof Refusal ? errorAnswer(result, id) : { status: 200, body: result })
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return ledger.transact(() => store(errorAnswer(error, id)))
    }
  }

  const once = async (request: ApiRequest, read: () => (call: Call) => unknown) => {
    const { endpoint, key, text, trouble, url, version } = request
    if (trouble?.does === "rateLimit") throw rateLimited
    if (version !== undefined && version !== eventApiVersion) {
      throw invalid(`Invalid Stripe API version: ${version}. The stand-in speaks ${eventApiVersion} alone.`)
    }
    const { now } = callOf(url, { id: null, idempotency_key: null })
    const stored = key === undefined ? undefined : keys.begin(key, endpoint, text, now)
    if (stored !== undefined) return { status: stored.status, body: stored.body, original: stored.requestId }
    try {
      const work = read()
      if (trouble?.does === "delay") await setTimeout(trouble.millis, undefined, { ref: false })
      return { ...perform(work, request), original: undefined }
    } finally {
      if (key !== undefined) keys.end(key)
    }
  }

  return ({ body, headers, method, path, query, url }: Incoming): Promise<Reply> => {
    const isPost = method === "POST"
    const text = isPost ? body : query.toString()
    const keyHeader = header(headers, "idempotency-key")
    const received = { method, path, idempotencyKey: keyHeader ?? null, params: withoutSecrets(readForm(text)) }
    return standIn.reply(received, async (trouble) => {
      const id = newId("req", 14)
      const key = isPost ? keyHeader : undefined
      const version = header(headers, "stripe-version")
      const request = { id, endpoint: `${method} ${path}`, text, key, version, url, trouble }
      const { original, ...answer } = await once(request, () => prepare(method, path, text)).catch(
        (error: unknown) => ({ ...errorAnswer(error, id), original: undefined })
      )
      return {
        ...answer,
        headers: {
          "request-id": id,
          "stripe-version": eventApiVersion,
          ...(key !== undefined && { "idempotency-key": key, ...retryHeaders(answer.status) }),
          ...(original !== undefined && { "idempotent-replayed": "true", "original-request": original })
        }
      }
    })
  }
}
