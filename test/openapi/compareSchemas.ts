import { Predicate } from "effect"
import { arrayIn, type Json, type OpenApi, objectIn, resolved } from "./OpenApi.ts"

/** Who writes the value: a caller (`request`), or we (`answer`). */
export type Direction = "request" | "answer"

interface Documents {
  readonly before: OpenApi
  readonly after: OpenApi
}

const upper = ["maxLength", "maxItems", "maximum", "exclusiveMaximum", "maxProperties"]
const lower = ["minLength", "minItems", "minimum", "exclusiveMinimum", "minProperties"]
const forms = ["pattern", "format"]

const numberIn = (schema: Json, name: string): number | undefined => {
  const value = schema[name]
  return Predicate.isNumber(value) ? value : undefined
}

const isText = Predicate.isString

const typesOf = ({ type }: Json): ReadonlyArray<string> | undefined =>
  isText(type) ? [type] : Array.isArray(type) ? type.filter(isText) : undefined

const valuesOf = (schema: Json): ReadonlyArray<string> | undefined => {
  if ("const" in schema) return [JSON.stringify(schema["const"])]
  return Array.isArray(schema["enum"]) ? schema["enum"].map((value) => JSON.stringify(value)) : undefined
}

const alternativesOf = (schema: Json): ReadonlyArray<unknown> | undefined => {
  const found = [...arrayIn(schema, "anyOf"), ...arrayIn(schema, "oneOf")]
  return found.length === 0 ? undefined : found
}

const includes = (types: ReadonlyArray<string>, type: string) =>
  types.includes(type) || (type === "integer" && types.includes("number"))

const typeChanges = (direction: Direction, before: Json, after: Json): ReadonlyArray<string> => {
  const [old, next] = [typesOf(before), typesOf(after)]
  const [from, to] = direction === "request" ? [old, next] : [next, old]
  if (to === undefined || (from?.every((type) => includes(to, type)) ?? false)) return []
  return [`has the type ${next?.join(" or ") ?? "of any value"} instead of ${old?.join(" or ") ?? "any"}`]
}

// Callers get the values that are no longer used in vain, too.
const valueChanges = (direction: Direction, before: Json, after: Json): ReadonlyArray<string> => {
  const [old, next] = [valuesOf(before), valuesOf(after)]
  if (old === undefined) return direction === "request" && next !== undefined ? [`must be ${next.join(" or ")}`] : []
  if (next === undefined) return direction === "answer" ? ["may be any value"] : []
  return old.filter((value) => !next.includes(value)).map((value) => `${value} is gone`)
}

const narrowed = (before: Json, after: Json): ReadonlyArray<string> => {
  const isNarrower = (name: string, sign: number) => {
    const [old, next] = [numberIn(before, name), numberIn(after, name)]
    return next !== undefined && (old === undefined || sign * next < sign * old)
  }
  const names = [
    ...upper.filter((name) => isNarrower(name, 1)),
    ...lower.filter((name) => isNarrower(name, -1)),
    ...forms.filter((name) => after[name] !== undefined && after[name] !== before[name]),
    ...["additionalProperties", "unevaluatedProperties"].filter(
      (name) => after[name] === false && before[name] !== false
    )
  ]
  return names.map((name) => `is narrower by ${name}`)
}

// Callers rely on what applies without a value, and on the form of what they parse.
const replaced = (direction: Direction, before: Json, after: Json): ReadonlyArray<string> => {
  const name = direction === "request" ? "default" : "format"
  return name in before && before[name] !== after[name] ? [`has another ${name}`] : []
}

const propertyChanges = (direction: Direction, before: Json, after: Json, compare: Compare): ReadonlyArray<string> => {
  const [old, next] = [objectIn(before, "properties"), objectIn(after, "properties")]
  const [wasRequired, isRequired] = [arrayIn(before, "required"), arrayIn(after, "required")]
  const added =
    direction === "request"
      ? isRequired.filter((name) => !wasRequired.includes(name)).map((name) => `${name} is required now`)
      : wasRequired
          .filter((name) => !isRequired.includes(name) && String(name) in next)
          .map((name) => `${name} may be missing`)
  const changed = Object.keys(old).flatMap((name) =>
    name in next ? compare(old[name], next[name]).map((says) => `${name}: ${says}`) : [`${name} is gone`]
  )
  return [...added, ...changed]
}

type Compare = (before: unknown, after: unknown) => ReadonlyArray<string>

/** Returns what a schema takes away from callers of an earlier one. */
export const compareSchemas = (
  direction: Direction,
  before: unknown,
  after: unknown,
  documents: Documents
): ReadonlyArray<string> => {
  // Pairs that are being compared, because schemas may contain themselves.
  const pending = new Set<string>()
  const compare: Compare = (first, second) => {
    const pair = JSON.stringify([first, second])
    if (pending.has(pair)) return []
    pending.add(pair)
    const found = compareResolved(resolved(documents.before, first), resolved(documents.after, second))
    pending.delete(pair)
    return found
  }

  const fits = (first: unknown, second: unknown): boolean => compare(first, second).length === 0

  // Each form that was accepted still is. Each form that is answered was one before, except that of another operation on a shared path.
  const alternativeChanges = (old: ReadonlyArray<unknown>, next: ReadonlyArray<unknown>): ReadonlyArray<string> => {
    const isBody = (document: OpenApi) => (form: unknown) =>
      typesOf(resolved(document, form))?.includes("object") ?? false
    const isKept = (form: unknown) => next.some((other) => fits(form, other))
    const wereBodies = old.length > 1 && old.every(isBody(documents.before))
    const isAllowed =
      direction === "request"
        ? old.every(isKept)
        : next.every(
            (form) => old.some((other) => fits(other, form)) || (wereBodies && isBody(documents.after)(form))
          ) &&
          (!wereBodies || old.every(isKept))
    return isAllowed ? [] : ["is none of the forms that it was"]
  }

  const compareResolved = (old: Json, next: Json): ReadonlyArray<string> => {
    const [before, after] = [alternativesOf(old), alternativesOf(next)]
    if (before !== undefined || after !== undefined) return alternativeChanges(before ?? [old], after ?? [next])
    return [
      ...typeChanges(direction, old, next),
      ...valueChanges(direction, old, next),
      ...(direction === "request" ? narrowed(old, next) : []),
      ...replaced(direction, old, next),
      ...propertyChanges(direction, old, next, compare),
      ...("items" in old ? compare(old["items"], next["items"]).map((says) => `items: ${says}`) : [])
    ]
  }
  return compare(before, after)
}
