import { Effect, Exit, Schema } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { quotaReached, rateLimited } from "./commonErrors.ts"
import { encodeKeyRefusal } from "./keyRefusals.ts"
import { answeredAs } from "./shownAnswers.ts"

interface EncodedError {
  readonly status: number
  readonly contentType: string
  readonly body: unknown
}

type Encode = (error: unknown) => EncodedError | undefined

const encoders = new WeakMap<HttpApiEndpoint.Top, ReadonlyArray<Encode>>()

const encoderOf = (schema: Schema.Top): Encode => {
  const answer = answeredAs(schema, 500)
  const encode = Schema.encodeUnknownEffect(Schema.revealCodec(schema))
  return (error) => {
    // The schemas of errors need no services. The type of an endpoint does not say so.
    const exit = Effect.runSyncExit(encode(error) as Effect.Effect<unknown, Schema.SchemaError>)
    return Exit.isSuccess(exit) ? { ...answer, body: exit.value } : undefined
  }
}

const encodersOf = (endpoint: HttpApiEndpoint.Top): ReadonlyArray<Encode> => {
  const cached = encoders.get(endpoint)
  if (cached !== undefined) return cached
  const created = Array.from([...endpoint.error, rateLimited, quotaReached], encoderOf)
  encoders.set(endpoint, created)
  return created
}

/**
 * Encodes a domain error in the form that the contract of `endpoint` documents, or returns undefined if it documents none. Any endpoint
 * may answer `RateLimited` and `QuotaReached`, and one that needs a key what `encodeKeyRefusal` encodes. The gateway and the services both
 * use it.
 */
export const encodeError = (endpoint: HttpApiEndpoint.Top, error: unknown): EncodedError | undefined => {
  for (const encode of encodersOf(endpoint)) {
    const encoded = encode(error)
    if (encoded !== undefined) return encoded
  }
  return encodeKeyRefusal(error, (refused) => encodeError(endpoint, refused))
}
