import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { PhiCipher } from "../crypto/PhiCipher.ts"

/** Payloads of jobs as they are stored: sealed JSON, which opens only in the row of its own job. */
export class JobPayloads extends Context.Service<
  JobPayloads,
  {
    readonly seal: (queue: string, id: string, element: unknown) => Buffer
    /** Opens a payload. Throws when it was changed or moved, or its key is gone. */
    readonly open: (queue: string, id: string, sealed: Uint8Array) => unknown
  }
>()("@care/service-kit/jobs/JobPayloads") {
  static readonly layer = Layer.effect(
    JobPayloads,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const cipher = yield* PhiCipher
      const { schema } = yield* SqlSchema.findOne({
        Request: Schema.Void,
        Result: Schema.Struct({ schema: Schema.String }),
        execute: () => sql`SELECT current_schema() AS schema`
      })(undefined).pipe(Effect.orDie)
      const placeOf = (queue: string, id: string) => `${schema}/${queue}/${id}`

      return JobPayloads.of({
        seal: (queue, id, element) => cipher.sealBytes(Buffer.from(JSON.stringify(element)), placeOf(queue, id)),
        open: (queue, id, sealed) => JSON.parse(cipher.openBytes(sealed, placeOf(queue, id)).toString("utf8"))
      })
    })
  )
}
