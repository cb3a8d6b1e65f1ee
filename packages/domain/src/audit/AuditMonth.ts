import { Schema, SchemaTransformation } from "effect"
import { lengths } from "../http/bounds.ts"
import { textUpTo } from "../http/Text.ts"

const refusal = "must be a month in the form YYYY-MM"
const form = /^[2-9]\d{3}-(?:0[1-9]|1[0-2])$/u

/** A month in UTC, such as 202605: the number of a partition of the audit. As JSON it is a text, such as `2026-05`. */
export const AuditMonth = textUpTo(lengths.code, { refusal })
  .check(Schema.makeFilter((text: string) => (form.test(text) ? undefined : refusal)))
  .annotate({ description: "A month in UTC, such as 2026-05" })
  .pipe(
    Schema.decodeTo(
      Schema.Int,
      SchemaTransformation.transform({
        decode: (text: string) => Number(text.replace("-", "")),
        encode: (month: number) => `${String(month).slice(0, 4)}-${String(month).slice(4)}`
      })
    )
  )
export type AuditMonth = typeof AuditMonth.Type

/** Returns the month of a moment. */
export const monthOf = (moment: Date): AuditMonth => moment.getUTCFullYear() * 100 + moment.getUTCMonth() + 1

/** Returns the month that is some months after another. */
export const monthAfter = (month: AuditMonth, months = 1): AuditMonth =>
  monthOf(new Date(Date.UTC(Math.floor(month / 100), (month % 100) - 1 + months)))
