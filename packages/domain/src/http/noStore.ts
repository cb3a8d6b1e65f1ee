import { Schema } from "effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

const headers = { "cache-control": Schema.Literal("no-store") }

/** A success that carries credentials: no cache may keep it. */
export const noStore = <S extends Schema.Top>(schema: S) => HttpApiSchema.WithHeaders(schema, headers)

/** A value of a `noStore` success. */
export const notStored = <A>(body: A) =>
  HttpApiSchema.withHeaders({ body, headers: { "cache-control": "no-store" as const } })
