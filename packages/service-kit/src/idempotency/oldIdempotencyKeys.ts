import type { OldRows } from "../cleanup/removeOldRows.ts"
import { keptDays } from "./IdempotencyKeysRepo.ts"

/** Idempotency keys that are free again. */
export const oldIdempotencyKeys: OldRows = {
  table: "idempotency_keys",
  since: "created_at",
  age: `${keptDays} days`
}
