import { type Query, rowsOf } from "@care/service-kit"
import { Effect, type Schema } from "effect"
import { PhiCipher } from "../cipher/PhiCipher.ts"
import { makeHandDataKeys } from "../patientKeys/handDataKeys.ts"
import type { SealedRow } from "./sealedRow.ts"

/** Makes the functions that read, open and seal rows. Data keys come from the column `patient_key` of a statement (`patientKeyJson`), or from one more statement. */
export const sealedRowsOf = <A, I, Columns, StoredColumns>(
  row: SealedRow<Schema.Codec<A, I>, Schema.Codec<Columns, StoredColumns>>
) =>
  Effect.gen(function* () {
    const cipher = yield* PhiCipher
    const handKeys = yield* makeHandDataKeys(row)
    const rows = rowsOf(row.whole(cipher))
    const withKeys = <E>(query: Query<E>): Query<E> => Effect.tap(query, handKeys)
    return {
      all: <E>(query: Query<E>) => rows.all(withKeys(query)),
      first: <E>(query: Query<E>) => rows.first(withKeys(query)),
      one: <E>(query: Query<E>) => rows.one(withKeys(query)),
      /** Seals columns, the key among them, with the key of their patient or with `ofNobody`. Omits undefined columns. */
      seal: row.seal(cipher)
    }
  })
