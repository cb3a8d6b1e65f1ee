import { Schema } from "effect"
import { Mistake, mistakesText } from "./Mistake.ts"
import { StoredKind } from "./quotas.ts"

/** A request lacks the key, or has a blank one. Raised by the gateway. */
export class KeyMissing extends Schema.TaggedError<KeyMissing>()("KeyMissing", { isBlank: Schema.Boolean }) {}

/**
 * A key that resolves to no organization: unknown, revoked, expired, or of a disabled organization. Raised by the
 * gateway. `keyHash` is the first 12 hex digits of the SHA3-512 of the key, the only form in which it may be shown.
 */
export class KeyInvalid extends Schema.TaggedError<KeyInvalid>()("KeyInvalid", {
  keyHash: Schema.String,
  /** The key is right, but its organization is disabled. */
  isDisabled: Schema.Boolean
}) {}

/** A hash of a key as the public document shows it. */
export const shownKeyHash = "0123456789ab"

/**
 * An access token that is missing, expired, forged, of another kind, of another organization, or of a user who is gone.
 * Which of these is not told.
 */
export class AccessTokenRejected extends Schema.TaggedError<AccessTokenRejected>()("AccessTokenRejected", {}) {}

/** A request that does not decode: the first thing that is wrong with it, and whatever else is. */
export class RequestInvalid extends Schema.TaggedError<RequestInvalid>()("RequestInvalid", {
  part: Schema.Literals(["params", "query", "headers", "payload"]),
  ...Mistake.fields,
  others: Schema.optionalKey(Schema.Array(Mistake))
}) {
  /** A body that decodes, with something in it that is not acceptable. */
  static inPayload(path: string, reason: string): RequestInvalid {
    return new RequestInvalid({ part: "payload", path, reason })
  }

  /** All that is wrong, the first thing first. */
  get mistakes(): ReadonlyArray<Mistake> {
    return [this, ...(this.others ?? [])]
  }

  /** `<path>, <reason>; <path>, <reason>`: the form in which most endpoints show it. */
  get text(): string {
    return mistakesText(this.mistakes)
  }
}

/** A request whose path has an id that is none. An endpoint that answers it as it answers an unknown id lists it before `RequestInvalid`. */
export const PathInvalid = RequestInvalid.check(Schema.makeFilter(({ part }) => part === "params"))

/** Something broke that the caller cannot mend. It is logged under the request id, and shows nothing but that. */
export class InternalError extends Schema.TaggedError<InternalError>()("InternalError", { requestId: Schema.String }) {}

/** A service behind the gateway, or its database, did not answer in time. Safe to try again. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", { requestId: Schema.String }) {}

/** An organization made more requests, or was given more answers, than a limit allows in a window of `retryAfter` seconds. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  retryAfter: Schema.Natural,
  limit: Schema.Natural
}) {}

/** An organization stores as much of something as it may. What is old is removed every hour, which is when to try again. */
export class QuotaReached extends Schema.TaggedError<QuotaReached>()("QuotaReached", { kind: StoredKind }) {
  readonly retryAfter = 3600
}

/** An idempotency key is in use: with another body, for something that has ended since, or by a request in progress. */
export class IdempotencyConflict extends Schema.TaggedError<IdempotencyConflict>()("IdempotencyConflict", {
  reason: Schema.String
}) {}
