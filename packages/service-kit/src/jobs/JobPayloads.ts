import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { PhiCipher } from "../crypto/PhiCipher.ts"
import { rowsOf } from "../sql/rows.ts"

const place = rowsOf(Schema.Struct({ schema: Schema.String }))

/** Payloads of jobs as they are stored: sealed JSON, which opens only in the row of its own job. */
export const makeJobPayloads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cipher = yield* PhiCipher
  const { schema } = yield* place.one(sql`SELECT current_schema() AS schema`)
  const placeOf = (queue: string, id: string) => `${schema}/${queue}/${id}`

  return {
    seal: (queue: string, id: string, element: unknown) =>
      cipher.sealBytes(Buffer.from(JSON.stringify(element)), placeOf(queue, id)),
    /** Opens a payload. Throws when it was changed or moved, or its key is gone. */
    open: (queue: string, id: string, sealed: Uint8Array): unknown =>
      JSON.parse(cipher.openBytes(sealed, placeOf(queue, id)).toString("utf8"))
  }
})
