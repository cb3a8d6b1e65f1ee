import { Record, Schema } from "effect"

const mebibyte = 1024 * 1024

/** The quotas of an organization in a service, in multiples of `per` rows or bytes. `reached` is the message of a refusal. */
export const quotas = {
  KEPT_ANSWERS: {
    meaning: "answers to requests with idempotency keys that a service stores for an organization (each for 30 days)",
    setting: "QUOTA_KEPT_ANSWERS",
    allowed: 1_000_000,
    per: 1,
    unit: "ROWS",
    reached:
      "As many answers as may be are kept under idempotency keys for 30 days. Send requests without a key, or later."
  },
  EVENTS: {
    meaning: "events that are stored for an organization (each for 30 days)",
    setting: "QUOTA_EVENTS",
    allowed: 1_000_000,
    per: 1,
    unit: "ROWS",
    reached: "As many events as may be are kept for 30 days. Try again when some of them are gone."
  },
  DELIVERIES: {
    meaning: "deliveries to webhook endpoints that are stored for an organization (each for 30 days)",
    setting: "QUOTA_DELIVERIES",
    allowed: 5_000_000,
    per: 1,
    unit: "ROWS",
    reached:
      "As many deliveries to webhook endpoints as may be are kept for 30 days. Try again when some of them are gone."
  },
  DOCUMENTS: {
    meaning: "MiB of files in the cases of an organization",
    setting: "QUOTA_DOCUMENTS_MIB",
    allowed: 102_400,
    per: mebibyte,
    unit: "BYTES",
    reached: "As many bytes of files as may be are stored. Send none, or ask us for more room."
  }
} as const

export const StoredKind = Schema.Literals(Record.keys(quotas)).annotate({ identifier: "StoredKind" })
export type StoredKind = typeof StoredKind.Type

/** The values of `AddsTo`. */
export const addsTo = {
  /** An event comes with its deliveries. */
  events: ["EVENTS", "DELIVERIES"],
  deliveries: ["DELIVERIES"]
} as const satisfies Record<string, ReadonlyArray<StoredKind>>
