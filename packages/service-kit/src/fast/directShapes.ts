import { Array as Arr, Predicate, SchemaAST } from "effect"

/** What a direct decoder answers of a value that it does not take: what is not valid, and what it cannot tell. */
export const notTaken = Symbol("notTaken")

/** Decodes a value at once and without an `Effect`. */
export type DirectDecoder = (input: unknown) => unknown

type DecoderOf = (ast: SchemaAST.AST) => DirectDecoder

interface Member {
  readonly name: string
  /** Whether what is not there stays so. */
  readonly isOptional: boolean
}

// A function of `of`, `isObject` and `notTaken` that returns the decoder.
const structSource = (members: ReadonlyArray<Member>): string => {
  const named = members.map(({ isOptional, name }, at) => ({ key: JSON.stringify(name), at, isOptional }))
  const required = Arr.takeWhile(named, ({ isOptional }) => !isOptional)
  return [
    `const [${named.map(({ at }) => `of${at}`)}] = of`,
    "return (input) => {",
    "  if (!isObject(input)) return notTaken",
    ...named.map(
      ({ at, isOptional, key }) => `
        const has${at} = ${key} in input, v${at} = has${at} ? of${at}(input[${key}]) : ${isOptional ? "undefined" : "notTaken"}
        if (v${at} === notTaken) return notTaken`
    ),
    `  const output = { ${required.map(({ at, key }) => `${key}: v${at}`)} }`,
    ...named.slice(required.length).map(({ at, key }) => `  if (has${at}) output[${key}] = v${at}`),
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
  decoderOf: DecoderOf,
  staysAbsent: (type: SchemaAST.AST) => boolean
): DirectDecoder | undefined => {
  if (indexSignatures.length > 0 || propertySignatures.length === 0) return undefined
  const members: Array<Member> = []
  for (const { name, type } of propertySignatures) {
    if (typeof name !== "string" || name === "__proto__") return undefined
    members.push({ name, isOptional: SchemaAST.isOptional(type) && staysAbsent(type) })
  }
  const write = new Function("of", "isObject", "notTaken", structSource(members))
  const decoders = propertySignatures.map(({ type }) => decoderOf(type))
  return write(decoders, Predicate.isObject, notTaken)
}

/** Arrays of one kind of items. */
export const listOf = (
  { elements, rest: [item, ...others] }: SchemaAST.Arrays,
  decoderOf: DecoderOf
): DirectDecoder | undefined => {
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
  if (other === undefined) return (input) => (values.has(input) ? input : notTaken)
  if (values.size !== 1 || !values.has(null) || !notNull.includes(SchemaAST.toEncoded(other)._tag)) return undefined
  const decode = decoderOf(other)
  return (input) => (input === null ? null : decode(input))
}
