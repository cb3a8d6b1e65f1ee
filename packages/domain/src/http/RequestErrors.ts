import { Schema } from "effect"
import { Scope } from "../auth/Scope.ts"
import { StoredKind } from "./quotas.ts"

/** One mistake in a request. `path` is dotted (`user.email`, `products.0.id`, `body` for the whole). `reason` quotes no value. */
export const Mistake = Schema.Struct({ path: Schema.String, reason: Schema.String })
export type Mistake = typeof Mistake.Type

export const maxMistakes = 20

/** Returns mistakes as one text: `<path>, <reason>; <path>, <reason>`. */
export const mistakesText = (mistakes: ReadonlyArray<Mistake>, separator = ", "): string =>
  mistakes
    .slice(0, maxMistakes)
    .map(({ path, reason }) => `${path}${separator}${reason}`)
    .join("; ")

/** A request has no key, or a blank one. The gateway raises it. */
export class KeyMissing extends Schema.TaggedError<KeyMissing>()("KeyMissing", { isBlank: Schema.Boolean }) {}

/** A key is invalid. The gateway raises it. `keyHash` is the first 12 hex digits of its SHA3-512, the only form that may be shown. */
export class KeyInvalid extends Schema.TaggedError<KeyInvalid>()("KeyInvalid", {
  keyHash: Schema.String,
  /** The key is right, but its organization is disabled. */
  isDisabled: Schema.Boolean
}) {}

/** A key is valid, but may not do what the request asks for. The gateway raises it. */
export class ScopeMissing extends Schema.TaggedError<ScopeMissing>()("ScopeMissing", { scope: Scope }) {
  get text(): string {
    return `This key may not ${this.scope}`
  }
}

/** A live key is valid, but the operation is one of sandboxes. The gateway raises it. */
export class TestKeyNeeded extends Schema.TaggedError<TestKeyNeeded>()("TestKeyNeeded", {}) {
  get text(): string {
    return "This operation needs a test key (cv_test_...)"
  }
}

/** A key is valid, but may not be used from the caller's address. The gateway raises it. */
export class NetworkRefused extends Schema.TaggedError<NetworkRefused>()("NetworkRefused", { address: Schema.String }) {
  get text(): string {
    return `This key may not be used from ${this.address}`
  }
}

/** The example of a hash of a key in the public document. */
export const shownKeyHash = "0123456789ab"

/** An access token is missing, expired, forged, of another kind, of another organization, or of a user who is gone. */
export class AccessTokenRejected extends Schema.TaggedError<AccessTokenRejected>()("AccessTokenRejected", {}) {}

/** A request does not decode. The error has its first mistake and the others. */
export class RequestInvalid extends Schema.TaggedError<RequestInvalid>()("RequestInvalid", {
  part: Schema.Literals(["params", "query", "headers", "payload"]),
  ...Mistake.fields,
  others: Schema.optionalKey(Schema.Array(Mistake))
}) {
  /** Makes the error of a body that decodes, but has a value that is not acceptable. */
  static inPayload(path: string, reason: string): RequestInvalid {
    return new RequestInvalid({ part: "payload", path, reason })
  }

  get mistakes(): ReadonlyArray<Mistake> {
    return [this, ...(this.others ?? [])]
  }

  get text(): string {
    return mistakesText(this.mistakes)
  }
}

/** The path of a request has no valid id. An endpoint that answers it like an unknown id lists it before `RequestInvalid`. */
export const PathInvalid = RequestInvalid.check(Schema.makeFilter(({ part }) => part === "params"))

/** Returns the error of a path whose id of this name alone is invalid. */
export const pathInvalidAt = (name: string) =>
  PathInvalid.check(Schema.makeFilter(({ mistakes }) => mistakes.every(({ path }) => path === name)))

/** A defect of ours. It is logged under the request id. */
export class InternalError extends Schema.TaggedError<InternalError>()("InternalError", { requestId: Schema.String }) {}

/** A service behind the gateway, or its database, did not answer in time. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", { requestId: Schema.String }) {}

/** An organization exceeded a limit of requests or answers in a window of `retryAfter` seconds. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  retryAfter: Schema.Natural,
  limit: Schema.Natural
}) {}

/** An organization has reached a quota. Old rows are removed every hour. */
export class QuotaReached extends Schema.TaggedError<QuotaReached>()("QuotaReached", { kind: StoredKind }) {
  readonly retryAfter = 3600
}

/** An idempotency key was used with another body, or for something that has ended since, or by a request in progress. */
export class IdempotencyConflict extends Schema.TaggedError<IdempotencyConflict>()("IdempotencyConflict", {
  reason: Schema.String
}) {}
