import { randomUUID } from "node:crypto"
import { Option, Record, Schema } from "effect"

/** An operation that takes effect once a key: how its ids are made, and its answer kept as JSON. */
export interface OnceOperation<Ids, Answer> {
  readonly name: string
  /** Its answers are kept also where an organization has as many kept as it may: what it calls off must not wait for room. */
  readonly exceedsQuota: boolean
  readonly makeIds: () => Readonly<Record<string, string>>
  readonly idsFrom: (kept: Readonly<Record<string, string>>) => Ids
  readonly write: (answer: Answer) => Schema.Json
  /** None when the answer was kept by another version. */
  readonly read: (kept: Schema.Json) => Option.Option<Answer>
}

/**
 * Declares an operation. `ids` are those that its work needs (new UUIDs, the same again when a request is taken over);
 * `version` is that of the kept answer: raise it when `answer` changes.
 */
export const onceOperation = <const Fields extends Readonly<Record<string, Schema.Codec<string>>>, Answer>({
  answer,
  exceedsQuota = false,
  ids,
  name,
  version
}: {
  readonly name: string
  readonly version: number
  readonly exceedsQuota?: boolean
  readonly ids: Fields
  readonly answer: Schema.Codec<Answer, unknown>
}): OnceOperation<Schema.Struct.Type<Fields>, Answer> => {
  const Kept = Schema.toCodecJson(Schema.Struct({ version: Schema.Literal(version), answer }))
  const encode = Schema.encodeSync(Kept)
  const decode = Schema.decodeUnknownOption(Kept)
  return {
    name,
    exceedsQuota,
    makeIds: () => Record.map(ids, () => randomUUID()),
    idsFrom: Schema.decodeUnknownSync(Schema.Struct(ids)),
    write: (value) => encode({ version, answer: value }),
    read: (kept) => Option.map(decode(kept), (known) => known.answer)
  }
}
