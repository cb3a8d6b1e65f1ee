import { randomUUID } from "node:crypto"
import { Option, Record, Schema } from "effect"

/** An operation that takes effect once for each key: how its ids are made, and how its answer is stored as JSON. */
export interface OnceOperation<Ids, Answer> {
  readonly name: string
  /** Whether it also runs when the organization's quota of kept answers is reached, because a cancellation must not wait for room. */
  readonly exceedsQuota: boolean
  readonly makeIds: () => Readonly<Record<string, string>>
  readonly idsFrom: (stored: Readonly<Record<string, string>>) => Ids
  readonly write: (answer: Answer) => Schema.Json
  /** Returns none if the answer was stored by another version. */
  readonly read: (stored: Schema.Json) => Option.Option<Answer>
}

/** Declares an operation. `ids` are the new UUIDs that its work needs. Raise the `version` of the stored answer when `answer` changes. */
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
  const StoredAnswer = Schema.toCodecJson(Schema.Struct({ version: Schema.Literal(version), answer }))
  const encode = Schema.encodeSync(StoredAnswer)
  const decode = Schema.decodeUnknownOption(StoredAnswer)
  return {
    name,
    exceedsQuota,
    makeIds: () => Record.map(ids, () => randomUUID()),
    idsFrom: Schema.decodeUnknownSync(Schema.Struct(ids)),
    write: (value) => encode({ version, answer: value }),
    read: (stored) => Option.map(decode(stored), ({ answer }) => answer)
  }
}
