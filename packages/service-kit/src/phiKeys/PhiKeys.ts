import type { ServicePhiKey } from "@care/domain/phiKeys"
import { Effect, Option, Schema, String as Text } from "effect"
import { PhiCipher } from "../crypto/PhiCipher.ts"
import { inBackground } from "../sql/Background.ts"
import { safeCause } from "../telemetry/safeCause.ts"
import { makePhiKeysRepo } from "./PhiKeysRepo.ts"
import type { SealedTable } from "./SealedTable.ts"

/** How many rows a step of a rotation looks at. */
const rowsAStep = 1000

// Where a rotation goes on: after this row of the table with this number.
const Position = Schema.fromJsonString(Schema.Tuple([Schema.Int, Schema.NullOr(Schema.Array(Schema.String))]))
const decodePosition = Schema.decodeUnknownOption(Position)
const encodePosition = Schema.encodeSync(Position)

/** What a step of a rotation did. `next` is where the next one goes on; null when there is nothing left. */
export interface ServiceRotation {
  readonly checked: number
  readonly rotated: number
  readonly next: string | null
}

/** What `PHI_KEY` seals in the tables of a service, and how it is sealed anew with the first key of it. */
export const makePhiKeys = Effect.fnUntraced(function* (tables: ReadonlyArray<SealedTable>) {
  const cipher = yield* PhiCipher
  const repo = yield* makePhiKeysRepo
  const [sealingId, ...others] = cipher.keyIds

  // What does not open stays as it is, and is counted under the key that it names: that key is needed still, or never was one.
  const sealAnew = (sealed: string | Uint8Array, place: string) =>
    Effect.sync(() =>
      typeof sealed === "string"
        ? cipher.seal(cipher.open(sealed, place), place)
        : cipher.sealBytes(cipher.openBytes(sealed, place), place)
    ).pipe(
      Effect.asSome,
      Effect.catchCause((cause) =>
        Effect.as(Effect.logWarning("A row was not sealed anew", safeCause(cause)), Option.none<string | Buffer>())
      )
    )

  return {
    list: Effect.gen(function* () {
      const rows = new Map([sealingId, ...others].map((id) => [id, 0]))
      for (const table of tables) {
        for (const { keyId, rows: more } of yield* inBackground(repo.count(table))) {
          rows.set(keyId, (rows.get(keyId) ?? 0) + more)
        }
      }
      return Array.from(rows, ([keyId, rows]): ServicePhiKey => ({ keyId, isSealing: keyId === sealingId, rows }))
    }),

    /**
     * Seals some rows anew, from a position on; a position that is none is the beginning. What is written meanwhile is left
     * as it is: it is sealed with the first key, or found by the next rotation.
     */
    rotate: Effect.fn("PhiKeys.rotate")(function* (from: string | null) {
      const [at, after] = Option.getOrElse(decodePosition(from), () => [0, null] as const)
      const table = tables[at]
      if (table === undefined) return { checked: 0, rotated: 0, next: null } satisfies ServiceRotation
      const rows = yield* repo.page(table, after ?? undefined, sealingId, rowsAStep)
      let rotated = 0
      for (const row of rows) {
        if (row.value === null) continue
        const sealed = yield* sealAnew(row.value, table.placeOf(row.rowKey, repo.schema))
        if (Option.isSome(sealed) && (yield* repo.replace(table, row, sealed.value))) rotated += 1
      }
      const last = rows.length < rowsAStep ? undefined : rows.at(-1)
      const isOver = last === undefined && at + 1 >= tables.length
      const next: typeof Position.Type =
        last === undefined
          ? [at + 1, null]
          : [at, Object.keys(table.key).map((name) => last.rowKey[Text.snakeToCamel(name)] ?? "")]
      return { checked: rows.length, rotated, next: isOver ? null : encodePosition(next) } satisfies ServiceRotation
    }, inBackground)
  }
})
