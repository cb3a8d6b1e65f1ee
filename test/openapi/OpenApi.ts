import { Predicate } from "effect"

export type Json = Readonly<Record<string, unknown>>

/** The parts of an OpenAPI document that are compared. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Json>>
  readonly webhooks: Readonly<Record<string, Json>>
  readonly schemas: Json
}

/** Returns an object in an object; an empty one if there is none. */
export const objectIn = (value: unknown, name: string): Json => {
  const found = Predicate.isObject(value) ? Reflect.get(value, name) : undefined
  return Predicate.isObject(found) ? { ...found } : {}
}

/** Returns a list in an object; an empty one if there is none. */
export const arrayIn = (value: Json, name: string): ReadonlyArray<unknown> => {
  const found = value[name]
  return Array.isArray(found) ? found : []
}

const schemaPrefix = "#/components/schemas/"

/** Returns an object, or the one that it refers to, with the members of its `allOf`. */
export const resolved = (document: OpenApi, value: unknown): Json => {
  if (!Predicate.isObject(value)) return {}
  const { $ref, allOf, ...own }: Json = { ...value }
  const named = Predicate.isString($ref) ? resolved(document, document.schemas[$ref.slice(schemaPrefix.length)]) : {}
  const parts = Array.isArray(allOf) ? allOf.map((part) => resolved(document, part)) : []
  const all = [named, ...parts, own]
  // Each of several patterns applies.
  const patterns = all.flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]))
  return Object.assign({}, ...all, patterns.length > 1 && { pattern: patterns.join(" and ") })
}
