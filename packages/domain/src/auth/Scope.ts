import { Schema } from "effect"

/** What an API key may do: read or change one kind of things, or `test`: work a sandbox. */
export const Scope = Schema.Literals([
  "cases:read",
  "cases:write",
  "patients:read",
  "patients:write",
  "payments:read",
  "payments:write",
  "orders:read",
  "orders:write",
  "appointments:read",
  "appointments:write",
  "catalogue:read",
  "webhooks:read",
  "webhooks:write",
  "audit:read",
  "test"
])
export type Scope = typeof Scope.Type
