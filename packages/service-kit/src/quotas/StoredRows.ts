import type { StoredKind } from "@care/domain/http"

/** Rows of organizations that have a quota. */
export interface StoredRows {
  readonly kind: StoredKind
  readonly table: string
  /** The column of when a row was stored. An index begins with it, and one with the organization. */
  readonly since: string
  /** The column of how many bytes a row is of, where the quota is of bytes. */
  readonly bytes?: string
}

/** Answers that are kept for requests with an idempotency key. */
export const keptAnswers: StoredRows = { kind: "KEPT_ANSWERS", table: "idempotency_keys", since: "created_at" }
