import { GatewayApi } from "@care/domain/gateway"
import type { PassPosition, PhiKey, RotationStep } from "@care/domain/phiKeys"
import { Effect, Stream } from "effect"
import { Command } from "effect/cli"
import { adminGroup, type ListPosition, listPages } from "../AdminClient.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { failureOf } from "../gateway.ts"
import { ofCell } from "../inputs.ts"
import { printNotice, printPage, printProgress, printStep } from "../output.ts"

const phiKeys = adminGroup(GatewayApi, "phiKeys")

/** Counts the rows that each key seals, over all pages. `report` gets the progress. */
const countKeys = Effect.fnUntraced(function* (
  cell: string | undefined,
  report: (text: string) => Effect.Effect<void>
) {
  const { list } = yield* phiKeys
  const counted = new Map<string, PhiKey>()
  const inCell = cell === undefined ? {} : { cell }
  const pages = listPages((position: ListPosition<PassPosition>) =>
    list({ query: { ...inCell, ...position, limit: 1000 } })
  )
  yield* Stream.runForEach(pages, ({ data, nextCursor }) => {
    for (const key of data) {
      const name = `${key.service} ${key.keyId}`
      counted.set(name, { ...key, rows: key.rows + (counted.get(name)?.rows ?? 0) })
    }
    const rows = counted.values().reduce((sum, { rows }) => sum + rows, 0)
    return nextCursor === null ? Effect.void : report(`${rows} rows counted`)
  })
  return [...counted.values()]
})

const printKeys = (keys: ReadonlyArray<PhiKey>) =>
  printPage({ data: keys.map((key) => ({ ...key })), nextCursor: null }, "service keyId isSealing rows")

const status = Command.make(
  "status",
  { cell: ofCell },
  Effect.fnUntraced(function* ({ cell }) {
    yield* printKeys(yield* countKeys(cell, printProgress))
  })
).pipe(
  Command.withDescription("Show how many rows each key of PHI_KEY encrypts in each service"),
  Command.withExamples([{ command: "care keys status", description: "Show whether an older key is still used" }])
)

const rotate = Command.make(
  "rotate",
  { cell: ofCell },
  Effect.fnUntraced(function* ({ cell }) {
    const client = yield* phiKeys
    let [checked, rotated] = [0, 0]
    let from: RotationStep["next"] | undefined
    while (from !== null) {
      const step: RotationStep = yield* Effect.mapError(client.rotate({ payload: { cell, from } }), failureOf)
      checked += step.checked
      rotated += step.rotated
      from = step.next
      yield* printStep(1, 2, `${checked} rows checked, ${rotated} encrypted again`)
    }
    const keys = yield* countKeys(cell, (text) => printStep(2, 2, text))
    yield* printKeys(keys)
    const olderKeys = keys.filter(({ isSealing }) => !isSealing)
    const left = olderKeys.filter(({ rows }) => rows > 0).map((key) => `${key.service} ${key.rows} with ${key.keyId}`)
    if (left.length > 0) {
      return yield* new CommandFailed({
        message: `Some rows are still encrypted with another key (${left.join(", ")}): run this again, and see the logs if that does not help.`
      })
    }
    yield* printNotice(
      olderKeys.length > 0
        ? "The other keys are not used any more: remove them from PHI_KEY."
        : "PHI_KEY has one key, which encrypts everything."
    )
  })
).pipe(
  Command.withDescription(
    "Encrypt with the first key of PHI_KEY everything that older keys encrypt. It can run beside the suite, and be interrupted and repeated"
  ),
  Command.withExamples([{ command: "care keys rotate", description: "Replace the older keys" }])
)

export const keys = Command.make("keys").pipe(
  Command.withDescription("Keys that encrypt health information at rest (PHI_KEY)"),
  Command.withSubcommands([status, rotate])
)
