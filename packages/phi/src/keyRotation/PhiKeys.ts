import type { ServicePhiKey } from "@care/domain/phiKeys"
import { asSlowRead, inBackground, safeCause } from "@care/service-kit"
import { Effect, Option } from "effect"
import { PhiCipher } from "../cipher/PhiCipher.ts"
import { makePhiKeysRepo, type SealedValue } from "./PhiKeysRepo.ts"
import type { SealedTable } from "./SealedTable.ts"
import { afterRow, type SealedPosition, type SealedTables, sealedPositions } from "./sealedPositions.ts"

/** How many rows a step of a rotation looks at. */
const rowsAStep = 1000

/** What seals some rows, by the keys of `PHI_KEY`. `next` is where the others are; null when there are none. */
export interface SealedPage {
  readonly keys: ReadonlyArray<ServicePhiKey>
  readonly next: string | null
}

/** What a step of a rotation did. `next` is where the next one goes on; null when there is nothing left. */
export interface ServiceRotation {
  readonly checked: number
  readonly rotated: number
  readonly next: string | null
}

/** What `PHI_KEY` seals in the tables of a service, and how it is sealed anew with the first key of it. */
export const makePhiKeys = Effect.fnUntraced(function* (tables: SealedTables) {
  const cipher = yield* PhiCipher
  const repo = yield* makePhiKeysRepo
  const positions = sealedPositions(tables)
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

  // So many rows after a position, of one table after the other, and the position of those that follow.
  const lookAt = Effect.fnUntraced(function* (from: string | undefined, limit: number) {
    const found: Array<{ readonly table: SealedTable; readonly row: SealedValue }> = []
    let position: SealedPosition | undefined = positions.read(from)
    while (position !== undefined && found.length < limit) {
      const { after, table }: SealedPosition = position
      const rows: ReadonlyArray<SealedValue> = yield* repo.page(table, after, sealingId, limit - found.length)
      found.push(...rows.map((row) => ({ table, row })))
      const last = found.length < limit ? undefined : rows.at(-1)
      position = last === undefined ? positions.afterTable(table) : afterRow(table, last.rowKey)
    }
    return { found, next: position === undefined ? null : positions.write(position) }
  })

  return {
    /** Counts what each key seals of some rows, from a position on. */
    list: Effect.fn("PhiKeys.list")(function* (from: string | undefined, limit: number) {
      const { found, next } = yield* lookAt(from, limit)
      const counts = new Map([sealingId, ...others].map((id) => [id, 0]))
      for (const { row } of found) {
        if (row.keyId !== null) counts.set(row.keyId, (counts.get(row.keyId) ?? 0) + 1)
      }
      const keys = Array.from(counts, ([keyId, rows]) => ({ keyId, isSealing: keyId === sealingId, rows }))
      return { keys, next } satisfies SealedPage
    }, asSlowRead),

    /**
     * Seals some rows anew, from a position on. What is written meanwhile is left as it is: it is sealed with the first key,
     * or found by the next rotation.
     */
    rotate: Effect.fn("PhiKeys.rotate")(function* (from: string | undefined) {
      const { found, next } = yield* lookAt(from, rowsAStep)
      let rotated = 0
      for (const { row, table } of found) {
        if (row.value === null) continue
        const sealed = yield* sealAnew(row.value, table.placeOf(row.rowKey, repo.schema))
        if (Option.isSome(sealed) && (yield* repo.replace(table, row, sealed.value))) rotated += 1
      }
      return { checked: found.length, rotated, next } satisfies ServiceRotation
    }, inBackground)
  }
})
