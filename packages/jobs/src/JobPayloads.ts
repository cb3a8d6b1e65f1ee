import { PhiCipher } from "@care/phi"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const place = rowsOf(Schema.Struct({ schema: Schema.String }))

/** Payloads of jobs as they are stored: sealed JSON, which opens only in the row of its own job. */
export const makeJobPayloads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cipher = yield* PhiCipher
  const { schema } = yield* place.one(sql`SELECT current_schema() AS schema`)
  const placeOf = (queue: string, id: string) => `jobs.payload/${JSON.stringify([schema, queue, id])}`

  return {
    seal: (queue: string, id: string, element: unknown) =>
      cipher.sealBytes(Buffer.from(JSON.stringify(element)), placeOf(queue, id)),
    /** Fails with a sentence when it was changed or moved, or its key is gone. */
    open: (queue: string, id: string, sealed: Uint8Array): Effect.Effect<unknown, string> =>
      Effect.try({
        try: () => cipher.openBytes(sealed, placeOf(queue, id)).toString("utf8"),
        catch: (error) => (error instanceof Error ? error.message : String(error))
      }).pipe(Effect.map((text) => JSON.parse(text)))
  }
})
