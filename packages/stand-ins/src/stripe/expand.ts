import { Schema } from "effect"
import type { Kind, Ledger } from "./Ledger.ts"
import { list, text } from "./params.ts"
import { invalid } from "./Refusal.ts"
import type { ParsedForm } from "./readForm.ts"
import { readParams } from "./readParams.ts"

const kinds: Readonly<Record<string, Kind>> = {
  cus: "customer",
  pm: "payment_method",
  pi: "payment_intent",
  seti: "setup_intent",
  ch: "charge",
  re: "refund",
  dp: "dispute",
  clock: "test_clock"
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const objectWith = (ledger: Ledger, id: string): unknown => {
  const kind = kinds[id.slice(0, id.indexOf("_"))]
  return (kind && ledger.get(kind, id)) ?? ledger.get("deleted_customer", id)
}

const expandPath = (ledger: Ledger, value: unknown, [part, ...rest]: ReadonlyArray<string>, path: string): unknown => {
  if (part === undefined) return value
  if (Array.isArray(value)) return value.map((element) => expandPath(ledger, element, [part, ...rest], path))
  if (!isObject(value) || !(part in value)) {
    throw invalid(`This property cannot be expanded (${path}).`, { param: "expand" })
  }
  const inner = value[part]
  if (inner === null) return value
  const whole = typeof inner === "string" ? objectWith(ledger, inner) : inner
  if (whole === undefined) throw invalid(`This property cannot be expanded (${path}).`, { param: "expand" })
  return { ...value, [part]: expandPath(ledger, whole, rest, path) }
}

const Expand = Schema.Struct({ expand: Schema.optionalKey(list(text)) })

/** Separates `expand[]=`, which every request may have, from the other parameters. */
export const takeExpand = ({ expand, ...form }: ParsedForm) => ({
  form,
  paths: expand === undefined ? [] : (readParams(Expand, { expand }).expand ?? [])
})

/** Replaces ids in an answer by their objects, along paths such as `latest_charge` and `data.customer`. */
export const expanded = (ledger: Ledger, answer: unknown, paths: ReadonlyArray<string>): unknown =>
  paths.reduce((value, path) => expandPath(ledger, value, path.split("."), path), answer)
