import { Effect, Schema } from "effect"
import type { ClaimedJob } from "./JobClaims.ts"
import type { JobKind } from "./JobKind.ts"
import { makeJobPayloads } from "./JobPayloads.ts"

/** Reads what a job carries. Fails with a sentence that says why it is not readable, and quotes nothing of it. */
export const makeReadPayload = Effect.gen(function* () {
  const payloads = yield* makeJobPayloads

  return Effect.fnUntraced(function* <Payload>(
    { schema, version }: JobKind<Payload>,
    { id, payload, queueName, version: stored }: ClaimedJob
  ) {
    if (stored !== version) {
      return yield* Effect.fail(`Its payload has version ${stored}, and this process knows version ${version}`)
    }
    const element = yield* payloads.open(queueName, id, payload)
    return yield* Schema.decodeUnknownEffect(Schema.toCodecJson(schema))(element).pipe(
      Effect.mapError(() => "Its payload does not fit its queue")
    )
  })
})
