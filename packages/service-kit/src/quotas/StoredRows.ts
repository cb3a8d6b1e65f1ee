import type { StoredKind } from "@care/domain/http"

/** Rows with a quota. */
export interface StoredRows {
  readonly kind: StoredKind
  readonly table: string
  /** The column of the time when a row was stored. One index begins with it, another one with the organization. */
  readonly since: string
  /** The column of a row's bytes, for a quota of bytes. */
  readonly bytes?: string
}

/** The kept answers of requests with an idempotency key. */
export const keptAnswers: StoredRows = { kind: "KEPT_ANSWERS", table: "idempotency_keys", since: "created_at" }
