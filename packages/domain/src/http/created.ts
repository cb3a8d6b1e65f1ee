import { Schema } from "effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

/**
 * 201 with what was made. The status is beside the schema and not on it: a schema with another annotation is another one to
 * the public document, which would give it another name.
 */
export const created = <S extends Schema.Top>(schema: S) => Schema.suspend(() => schema).pipe(HttpApiSchema.status(201))
