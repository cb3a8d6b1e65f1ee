import { asSlowRead, inBackground, safeCause } from "@care/service-kit"
import { Effect, Option } from "effect"
import { PhiCipher } from "../cipher/PhiCipher.ts"
import { makePhiKeysRepo, type SealedValue } from "./PhiKeysRepo.ts"
import { afterRow, type SealedPosition, type SealedTable, type SealedTables, sealedPositions } from "./SealedTable.ts"

const rowsPerStep = 1000

/** Makes the functions that count the values which `PHI_KEY` seals in the tables of a service, and seal them again with the first key. */
export const makePhiKeys = Effect.fnUntraced(function* (tables: SealedTables) {
  const cipher = yield* PhiCipher
  const repo = yield* makePhiKeysRepo
  const positions = sealedPositions(tables)
  const [sealingId, ...others] = cipher.keyIds

  // Returns none for a value that does not open. It stays as it is, and is counted for the key that it names.
  const sealAnew = (sealed: string | Uint8Array, place: string) =>
    Effect.sync(() =>
      typeof sealed === "string"
        ? cipher.seal(cipher.open(sealed, place), place)
        : cipher.sealBytes(cipher.openBytes(sealed, place), place)
    ).pipe(
      Effect.asSome,
      Effect.catchCause((cause) =>
        Effect.as(Effect.logWarning("A row cannot be sealed anew", safeCause(cause)), Option.none<string | Buffer>())
      )
    )

  // Reads up to `limit` rows after a position, one table after the other. Returns them with the position of the following rows.
  const readFrom = Effect.fnUntraced(function* (from: string | undefined, limit: number) {
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
    /** Counts the values of each key in some rows after a position. */
    list: Effect.fn("PhiKeys.list")(function* (from: string | undefined, limit: number) {
      const { found, next } = yield* readFrom(from, limit)
      const counts = new Map([sealingId, ...others].map((id) => [id, 0]))
      for (const { row } of found) {
        if (row.keyId !== null) counts.set(row.keyId, (counts.get(row.keyId) ?? 0) + 1)
      }
      const keys = Array.from(counts, ([keyId, rows]) => ({ keyId, isSealing: keyId === sealingId, rows }))
      return { keys, next }
    }, asSlowRead),

    /** Seals some rows after a position with the first key. The next rotation finds rows that change meanwhile. */
    rotate: Effect.fn("PhiKeys.rotate")(function* (from: string | undefined) {
      const { found, next } = yield* readFrom(from, rowsPerStep)
      let rotated = 0
      for (const { row, table } of found) {
        if (row.value === null) continue
        const sealed = yield* sealAnew(row.value, table.placeOf(row.rowKey, repo.schema))
        if (Option.isSome(sealed) && (yield* repo.replace(table, row, sealed.value))) rotated += 1
      }
      return { checked: found.length, rotated, next }
    }, inBackground)
  }
})
