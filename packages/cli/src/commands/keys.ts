import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { AdminClient, type Resource, type ResourcePage } from "../AdminClient.ts"
import { CommandFailed } from "../gateway.ts"
import { ofCell } from "../inputs.ts"
import { printPage, printProgress } from "../output.ts"

const Key = Schema.Struct({
  service: Schema.String,
  keyId: Schema.String,
  isSealing: Schema.Boolean,
  rows: Schema.Int
})
type Key = typeof Key.Type

const Step = Schema.Struct({
  checked: Schema.Int,
  rotated: Schema.Int,
  next: Schema.NullOr(Schema.Record(Schema.String, Schema.String))
})
const decodeKeys = Schema.decodeUnknownEffect(Schema.Array(Key))
const decodeStep = Schema.decodeUnknownEffect(Step)

// Counts the rows that each key seals, over all pages.
const countKeys = Effect.fnUntraced(function* (cell: string | undefined) {
  const client = yield* AdminClient
  const counted = new Map<string, Key>()
  let cursor: string | undefined
  do {
    const { data, nextCursor }: ResourcePage = yield* client.page("/phi-keys", { limit: "1000", cursor, cell })
    for (const key of yield* Effect.orDie(decodeKeys(data))) {
      const name = `${key.service} ${key.keyId}`
      counted.set(name, { ...key, rows: key.rows + (counted.get(name)?.rows ?? 0) })
    }
    cursor = nextCursor ?? undefined
    const rows = counted.values().reduce((sum, { rows }) => sum + rows, 0)
    if (cursor !== undefined) yield* printProgress(`${rows} rows counted`)
  } while (cursor !== undefined)
  return [...counted.values()]
})

const printKeys = (keys: ReadonlyArray<Key>) => {
  const rows: ReadonlyArray<Resource> = keys.map((key) => ({ ...key }))
  return printPage({ data: rows, nextCursor: null }, "service keyId isSealing rows")
}

const status = Command.make(
  "status",
  { cell: ofCell },
  Effect.fnUntraced(function* ({ cell }) {
    yield* printKeys(yield* countKeys(cell))
  })
).pipe(Command.withDescription("Show how many rows each key of PHI_KEY encrypts in each service"))

const rotate = Command.make(
  "rotate",
  { cell: ofCell },
  Effect.fnUntraced(function* ({ cell }) {
    const { call } = yield* AdminClient
    let [checked, rotated] = [0, 0]
    let next: (typeof Step.Type)["next"] | undefined
    while (next !== null) {
      const step: typeof Step.Type = yield* Effect.orDie(
        decodeStep(yield* call("POST", "/phi-keys/rotate", { cell, from: next }))
      )
      checked += step.checked
      rotated += step.rotated
      next = step.next
      yield* printProgress(`${checked} rows checked, ${rotated} encrypted again`)
    }
    const keys = yield* countKeys(cell)
    yield* printKeys(keys)
    const olderKeys = keys.filter(({ isSealing }) => !isSealing)
    if (olderKeys.some(({ rows }) => rows > 0)) {
      return yield* new CommandFailed({
        message:
          "Some rows are still encrypted with another key: run this again, and see the logs if that does not help."
      })
    }
    yield* printProgress(
      olderKeys.length > 0
        ? "The other keys are not used any more: remove them from PHI_KEY."
        : "PHI_KEY has one key, which encrypts everything."
    )
  })
).pipe(
  Command.withDescription(
    "Encrypt with the first key of PHI_KEY everything that older keys encrypt. It can run beside the suite, and be interrupted and repeated"
  )
)

export const keys = Command.make("keys").pipe(
  Command.withDescription("Keys that encrypt health information at rest (PHI_KEY)"),
  Command.withSubcommands([status, rotate])
)
