import type { Form } from "./readForm.ts"

const hidden = new Set(["client_secret", "number", "cvc"])

const withoutSecrets = (form: Form): Form =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      typeof value === "object" ? withoutSecrets(value) : hidden.has(name) ? "***" : value
    ])
  )

/** A request that came, without what nobody else may know. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly idempotencyKey: string | null
  readonly params: Form
}

const most = 10_000

/** The newest 10,000 requests that came since the stand-in began, the first one first. */
export class Received {
  private requests: Array<ReceivedRequest> = []

  add(request: ReceivedRequest): void {
    this.requests.push({ ...request, params: withoutSecrets(request.params) })
    if (this.requests.length > most) this.requests.shift()
  }

  all(): ReadonlyArray<ReceivedRequest> {
    return this.requests
  }

  forget(): void {
    this.requests = []
  }
}
