import { createHash, randomUUID } from "node:crypto"
import { Option, Record, Schema } from "effect"

/** An operation that takes effect once for each key: how its ids are made, and how its answer is stored as JSON. */
export interface OnceOperation<Ids, Answer> {
  readonly name: string
  /** Whether it also runs when the organization's quota of kept answers is reached, because a cancellation must not wait for room. */
  readonly exceedsQuota: boolean
  /** Returns new ids. The lasting ones follow from `seed`, the keyed hash of the request's key and body, if it has a key. */
  readonly makeIds: (seed?: string) => Readonly<Record<string, string>>
  readonly idsFrom: (stored: Readonly<Record<string, string>>) => Ids
  readonly write: (answer: Answer) => Schema.Json
  /** Returns none if the answer was stored by another version. */
  readonly read: (stored: Schema.Json) => Option.Option<Answer>
}

// Returns a UUID of version 4 that follows from a text.
const uuidOf = (text: string): string => {
  const bytes = createHash("sha256").update(text).digest()
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

/**
 * Declares an operation. `ids` are the new UUIDs that its work needs. Those in `lastingIds` follow from the key and the body: when a
 * restored backup has lost a request, third parties recognize its repetition. An operation with such ids says which are used (`OnceChecks`).
 * Raise the `version` of the stored answer when `answer` changes.
 */
export const onceOperation = <const Fields extends Readonly<Record<string, Schema.Codec<string>>>, Answer>({
  answer,
  exceedsQuota = false,
  lastingIds = [],
  ids,
  name,
  version
}: {
  readonly name: string
  readonly version: number
  readonly exceedsQuota?: boolean
  readonly ids: Fields
  readonly lastingIds?: ReadonlyArray<keyof Fields>
  readonly answer: Schema.Codec<Answer, unknown>
}): OnceOperation<Schema.Struct.Type<Fields>, Answer> => {
  const StoredAnswer = Schema.toCodecJson(Schema.Struct({ version: Schema.Literal(version), answer }))
  const encode = Schema.encodeSync(StoredAnswer)
  const decode = Schema.decodeUnknownOption(StoredAnswer)
  return {
    name,
    exceedsQuota,
    makeIds: (seed) =>
      Record.map(ids, (_, id) =>
        lastingIds.includes(id) && seed !== undefined ? uuidOf(`${name} ${id} ${seed}`) : randomUUID()
      ),
    idsFrom: Schema.decodeUnknownSync(Schema.Struct(ids)),
    write: (value) => encode({ version, answer: value }),
    read: (stored) => Option.map(decode(stored), ({ answer }) => answer)
  }
}
