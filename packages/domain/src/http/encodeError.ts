import { Effect, Exit, Schema } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { answeredAs } from "./answeredAs.ts"
import { quotaReached, rateLimited } from "./commonErrors.ts"

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
    // The type of an endpoint's errors forgets that their schemas need no services; those of this package never do.
    const exit = Effect.runSyncExit(encode(error) as Effect.Effect<unknown, Schema.SchemaError>)
    return Exit.isSuccess(exit) ? { ...answer, body: exit.value } : undefined
  }
}

const encodersOf = (endpoint: HttpApiEndpoint.Top): ReadonlyArray<Encode> => {
  const known = encoders.get(endpoint)
  if (known !== undefined) return known
  const made = Array.from([...endpoint.error, rateLimited, quotaReached], encoderOf)
  encoders.set(endpoint, made)
  return made
}

/**
 * A domain error in the form that the contract of `endpoint` documents for it, or undefined when it documents none. That too
 * many requests were made, or too much is stored, any endpoint may tell, in one form. The
 * gateway (which refuses keys) and the services (which refuse bodies) both write from the one list of the contract.
 */
export const encodeError = (endpoint: HttpApiEndpoint.Top, error: unknown): EncodedError | undefined => {
  for (const encode of encodersOf(endpoint)) {
    const encoded = encode(error)
    if (encoded !== undefined) return encoded
  }
  return undefined
}
