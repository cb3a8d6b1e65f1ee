import { type Query, rowsOf } from "@care/service-kit"
import { Effect, type Schema } from "effect"
import { PhiCipher } from "../cipher/PhiCipher.ts"
import { makeHandDataKeys } from "../patientKeys/handDataKeys.ts"
import type { SealedRow } from "./sealedRow.ts"

/**
 * How rows with sealed columns are read, opened, and how they are sealed for being written. The data keys that open them are
 * those which a statement brought along as `patient_key` (`patientKeyJson`), and others are read by one more statement.
 */
export const sealedRowsOf = <A, I, Columns, StoredColumns>(
  row: SealedRow<Schema.Codec<A, I>, Schema.Codec<Columns, StoredColumns>>
) =>
  Effect.gen(function* () {
    const cipher = yield* PhiCipher
    const handKeys = yield* makeHandDataKeys(row)
    const rows = rowsOf(row.whole(cipher))
    const opened = <E>(query: Query<E>): Query<E> => Effect.tap(query, handKeys)
    return {
      all: <E>(query: Query<E>) => rows.all(opened(query)),
      first: <E>(query: Query<E>) => rows.first(opened(query)),
      one: <E>(query: Query<E>) => rows.one(opened(query)),
      /**
       * Columns as they are stored, the key among them, sealed with the key of the patient whom they are about
       * (`makePatientKeys`), or `ofNobody`. Those that are undefined are left out.
       */
      seal: row.seal(cipher)
    }
  })
