import { PhiCipher } from "@care/phi"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClaimedJob } from "./JobClaims.ts"
import type { JobKind } from "./JobKind.ts"

const place = rowsOf(Schema.Struct({ schema: Schema.String }))

/** Seals the payloads of jobs for the table, and opens them again. A sealed payload opens only in the row of its own job. */
export const makeJobPayloads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cipher = yield* PhiCipher
  const { schema } = yield* place.one(sql`SELECT current_schema() AS schema`)
  const placeOf = (queue: string, id: string) => `jobs.payload/${JSON.stringify([schema, queue, id])}`

  /** Returns the JSON of a payload. Fails with a sentence if it was changed or moved to another row, or if its key is gone. */
  const open = (queue: string, id: string, sealed: Uint8Array): Effect.Effect<unknown, string> =>
    Effect.try({
      try: () => cipher.openBytes(sealed, placeOf(queue, id)).toString("utf8"),
      catch: (error) => (error instanceof Error ? error.message : String(error))
    }).pipe(Effect.map((text) => JSON.parse(text)))

  return {
    seal: (queue: string, id: string, element: unknown) =>
      cipher.sealBytes(Buffer.from(JSON.stringify(element)), placeOf(queue, id)),
    open,
    /** Returns the payload of a job. Fails with a sentence that says why it cannot be read; the sentence quotes no content. */
    read: Effect.fnUntraced(function* <Payload>(
      { schema, version }: JobKind<Payload>,
      { id, payload, queueName, version: stored }: ClaimedJob
    ) {
      if (stored !== version) {
        return yield* Effect.fail(`Its payload has version ${stored}, and this process knows version ${version}`)
      }
      return yield* Schema.decodeUnknownEffect(Schema.toCodecJson(schema))(yield* open(queueName, id, payload)).pipe(
        Effect.mapError(() => "Its payload does not fit its queue")
      )
    })
  }
})
