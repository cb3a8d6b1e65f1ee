import { Predicate } from "effect"
import { type Document, unique } from "./openApiDocument.ts"

const simplify = (schema: unknown): unknown => {
  if (!Predicate.isObject(schema)) return schema
  const { anyOf, enum: values, ...others } = schema
  if (Array.isArray(values) && values.length === 1) return { ...others, const: values[0] }
  if (!Array.isArray(anyOf)) return schema
  const alternatives = unique(anyOf)
  const [only] = alternatives
  return alternatives.length === 1 && Predicate.isObject(only)
    ? { ...others, ...only }
    : { ...others, anyOf: alternatives }
}

/** Simplifies schemas: an enumeration of one value becomes `const`, and equal alternatives become one. */
export const simplifySchemas = (document: Document): Document =>
  JSON.parse(JSON.stringify(document), (_key, value) => simplify(value))
