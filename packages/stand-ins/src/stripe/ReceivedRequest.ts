import type { Form } from "./readForm.ts"

const hidden = new Set(["client_secret", "number", "cvc"])

/** Returns parameters with their secrets replaced. */
export const withoutSecrets = (form: Form): Form =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      typeof value === "object" ? withoutSecrets(value) : hidden.has(name) ? "***" : value
    ])
  )

/** A request that came, without its secrets. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly idempotencyKey: string | null
  readonly params: Form
}
