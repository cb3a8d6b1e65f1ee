import { Array as Arr, Predicate, SchemaAST } from "effect"
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

interface Member {
  readonly name: string
  readonly isOptional: boolean
}

// A function of `of`, `ofNone`, `isObject`, `missing` and `notTaken` that returns the decoder.
const structSource = (members: ReadonlyArray<Member>): string => {
  const named = members.map(({ isOptional, name }, at) => ({
    key: JSON.stringify(name),
    value: `v${at}`,
    at,
    isOptional
  }))
  const required = Arr.takeWhile(named, ({ isOptional }) => !isOptional)
  return [
    `const [${named.map(({ at }) => `of${at}`)}] = of, [${named.map(({ at }) => `ofNone${at}`)}] = ofNone`,
    "return (input) => {",
    "  if (!isObject(input)) return notTaken",
    ...named.map(
      ({ at, isOptional, key, value }) => `
        const ${value} = ${key} in input ? of${at}(input[${key}]) : ofNone${at}(missing)
        if (${value} === notTaken${isOptional ? "" : ` || ${value} === missing`}) return notTaken`
    ),
    `  const output = { ${required.map(({ key, value }) => `${key}: ${value}`)} }`,
    ...named.slice(required.length).map(({ key, value }) => `  if (${value} !== missing) output[${key}] = ${value}`),
    "  return output",
    "}"
  ].join("\n")
}

/**
 * Objects with known members alone; those that the schema does not have are left out. A function is written for each, which
 * has its members by their names: one that went through lists of them would take twice as long.
 */
export const structOf = (
  { indexSignatures, propertySignatures }: SchemaAST.Objects,
  decoderOf: DecoderOf
): PlainDecoder | undefined => {
  if (indexSignatures.length > 0 || propertySignatures.length === 0) return undefined
  const members: Array<Member> = []
  for (const { name, type } of propertySignatures) {
    if (typeof name !== "string" || name === "__proto__") return undefined
    members.push({ name, isOptional: SchemaAST.isOptional(type) })
  }
  const types = propertySignatures.map(({ type }) => type)
  const write = new Function("of", "ofNone", "isObject", "missing", "notTaken", structSource(members))
  return write(
    types.map(decoderOf),
    types.map((type) => decodesIfAny(type, decoderOf)),
    Predicate.isObject,
    missing,
    notTaken
  )
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
