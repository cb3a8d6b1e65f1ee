import { Predicate, SchemaAST } from "effect"
import { missing } from "effect/schema/SchemaCompiler"

/** What a plain decoder answers of a value that it does not take: what is not valid, and what it cannot tell. */
export const notTaken = Symbol("notTaken")

/**
 * Decodes a value at once and without an `Effect`. Where a transformation may make something of a value that is not there, it
 * is given `missing`, and answers that when there is nothing.
 */
export type PlainDecoder = (input: unknown) => unknown

type DecoderOf = (ast: SchemaAST.AST) => PlainDecoder

/** What is not there stays so. */
export const ifAny =
  (decode: PlainDecoder): PlainDecoder =>
  (input) =>
    input === missing ? missing : decode(input)

/** How a value is decoded that may not be there: its transformations, if it has any, know what to make of that. */
export const decodesIfAny = (ast: SchemaAST.AST, decoderOf: DecoderOf): PlainDecoder =>
  ast.encoding === undefined ? ifAny(decoderOf(ast)) : decoderOf(ast)

/** Objects with known members alone; those that the schema does not have are left out. */
export const structOf = (
  { indexSignatures, propertySignatures }: SchemaAST.Objects,
  decoderOf: DecoderOf
): PlainDecoder | undefined => {
  if (indexSignatures.length > 0 || propertySignatures.length === 0) return undefined
  const properties = propertySignatures.map(({ name, type }) => ({
    name,
    decode: decoderOf(type),
    decodeIfAny: decodesIfAny(type, decoderOf),
    isOptional: SchemaAST.isOptional(type)
  }))
  if (properties.some(({ name }) => name === "__proto__")) return undefined
  return (input) => {
    if (!Predicate.isObject(input)) return notTaken
    const output: Record<PropertyKey, unknown> = {}
    for (const { decode, decodeIfAny, isOptional, name } of properties) {
      const value = name in input ? decode(input[name]) : decodeIfAny(missing)
      if (value === notTaken || (value === missing && !isOptional)) return notTaken
      if (value !== missing) output[name] = value
    }
    return output
  }
}

/** Arrays of one kind of items. */
export const listOf = (
  { elements, rest: [item, ...others] }: SchemaAST.Arrays,
  decoderOf: DecoderOf
): PlainDecoder | undefined => {
  if (item === undefined || elements.length > 0 || others.length > 0) return undefined
  const decode = decoderOf(item)
  return (input) => {
    if (!Array.isArray(input)) return notTaken
    const output: Array<unknown> = []
    for (const each of input) {
      const value = decode(each)
      if (value === notTaken) return notTaken
      output.push(value)
    }
    return output
  }
}

const notNull = ["String", "Number", "Boolean", "Objects", "Arrays", "Declaration"]

/** Literals, or null beside a schema that does not make anything else of it. */
export const choiceOf = (
  { options: { mode } = {}, types }: SchemaAST.Union,
  decoderOf: DecoderOf
): PlainDecoder | undefined => {
  const values = new Set<unknown>()
  const others: Array<SchemaAST.AST> = []
  for (const type of types) {
    const isValue = type.encoding === undefined && type.checks === undefined
    if (isValue && type._tag === "Literal") values.add(type.literal)
    else if (isValue && type._tag === "Null") values.add(null)
    else others.push(type)
  }
  const [other, ...more] = others
  if (mode === "oneOf" || more.length > 0) return undefined
  if (other === undefined) return (input) => (values.has(input) ? input : notTaken)
  if (values.size !== 1 || !values.has(null) || !notNull.includes(SchemaAST.toEncoded(other)._tag)) return undefined
  const decode = decoderOf(other)
  return (input) => (input === null ? null : decode(input))
}
