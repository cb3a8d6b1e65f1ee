import { Result, Schema } from "effect"
import { type Mistakes, mistakesIn } from "../client/mistakes.ts"

// What is undefined is not sent.
const asSent = (entered: unknown): unknown => JSON.parse(JSON.stringify(entered))

/** Reads what a person entered as what an operation of the API takes. It fails with the mistakes. */
export const readEntered = <A>(schema: Schema.Codec<A, unknown>, entered: unknown): Result.Result<A, Mistakes> =>
  Schema.decodeUnknownResult(Schema.toCodecJson(schema))(asSent(entered), { errors: "all" }).pipe(
    Result.mapError(({ issue }) => mistakesIn(issue))
  )
