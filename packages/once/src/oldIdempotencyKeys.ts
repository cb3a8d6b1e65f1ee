import type { OldRows } from "@care/service-kit"
import { keptDays } from "./IdempotencyKeysRepo.ts"

/** Idempotency keys that have expired. */
export const oldIdempotencyKeys: OldRows = {
  table: "idempotency_keys",
  since: "created_at",
  age: `${keptDays} days`
}
