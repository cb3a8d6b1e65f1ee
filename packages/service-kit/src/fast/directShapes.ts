import { Array as Arr, Predicate, SchemaAST } from "effect"

/** The answer of a direct decoder for a value that it does not decode: an invalid one, or one that only the library can judge. */
export const notDecoded = Symbol("notDecoded")

/** Decodes a value synchronously and without an `Effect`. */
export type DirectDecoder = (input: unknown) => unknown

type DecoderOf = (ast: SchemaAST.AST) => DirectDecoder

interface Member {
  readonly name: string
  /** Whether an absent member stays absent. */
  readonly isOptional: boolean
}

// Returns the source of a function of `of` (the decoders of the members), `isObject` and `notDecoded`, which returns the decoder.
const structSource = (members: ReadonlyArray<Member>): string => {
  const named = members.map(({ isOptional, name }, at) => ({ key: JSON.stringify(name), at, isOptional }))
  const required = Arr.takeWhile(named, ({ isOptional }) => !isOptional)
  return [
    `const [${named.map(({ at }) => `of${at}`)}] = of`,
    "return (input) => {",
    "  if (!isObject(input)) return notDecoded",
    ...named.map(
      ({ at, isOptional, key }) => `
        const has${at} = ${key} in input, v${at} = has${at} ? of${at}(input[${key}]) : ${isOptional ? "undefined" : "notDecoded"}
        if (v${at} === notDecoded) return notDecoded`
    ),
    `  const output = { ${required.map(({ at, key }) => `${key}: v${at}`)} }`,
    ...named.slice(required.length).map(({ at, key }) => `  if (has${at}) output[${key}] = v${at}`),
    "  return output",
    "}"
  ].join("\n")
}

/**
 * Decodes an object with named members, and drops unknown ones. Source with the names is generated for each schema, because a function
 * that loops over lists of members would take twice as long.
 */
export const structOf = (
  { indexSignatures, propertySignatures }: SchemaAST.Objects,
  decoderOf: DecoderOf,
  staysAbsent: (type: SchemaAST.AST) => boolean
): DirectDecoder | undefined => {
  if (indexSignatures.length > 0 || propertySignatures.length === 0) return undefined
  const members: Array<Member> = []
  for (const { name, type } of propertySignatures) {
    if (typeof name !== "string" || name === "__proto__") return undefined
    members.push({ name, isOptional: SchemaAST.isOptional(type) && staysAbsent(type) })
  }
  const write = new Function("of", "isObject", "notDecoded", structSource(members))
  const decoders = propertySignatures.map(({ type }) => decoderOf(type))
  return write(decoders, Predicate.isObject, notDecoded)
}

/** Decodes an array whose items have one schema. */
export const listOf = (
  { elements, rest: [item, ...others] }: SchemaAST.Arrays,
  decoderOf: DecoderOf
): DirectDecoder | undefined => {
  if (item === undefined || elements.length > 0 || others.length > 0) return undefined
  const decode = decoderOf(item)
  return (input) => {
    if (!Array.isArray(input)) return notDecoded
    const output: Array<unknown> = []
    for (const element of input) {
      const value = decode(element)
      if (value === notDecoded) return notDecoded
      output.push(value)
    }
    return output
  }
}

const tagsWithoutNull = ["String", "Number", "Boolean", "Objects", "Arrays", "Declaration"]

/** Decodes a union of literals, or of null and one schema that does not decode null itself. */
export const unionOf = (
  { options: { mode } = {}, types }: SchemaAST.Union,
  decoderOf: DecoderOf
): DirectDecoder | undefined => {
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
  if (other === undefined) return (input) => (values.has(input) ? input : notDecoded)
  if (values.size !== 1 || !values.has(null) || !tagsWithoutNull.includes(SchemaAST.toEncoded(other)._tag))
    return undefined
  const decode = decoderOf(other)
  return (input) => (input === null ? null : decode(input))
}
