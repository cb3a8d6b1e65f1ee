import { type Effect, Exit, Predicate, Schema, type SchemaAST } from "effect"
import { missing } from "effect/schema/SchemaCompiler"
import { type DirectDecoder, listOf, notDecoded, structOf, unionOf } from "./directShapes.ts"

const options: SchemaAST.ParseOptions = {}

const cache = new WeakMap<SchemaAST.AST, DirectDecoder>()

/** Returns the direct decoder of a schema. It decodes only what the library's decoder does, to the same value. */
export const directDecoder = (ast: SchemaAST.AST): DirectDecoder => {
  const cached = cache.get(ast)
  if (cached !== undefined) return cached
  const own = typeDecoderOf(ast)
  const decoder = (own && withEncoding(ast, withChecks(ast, own))) ?? libraryDecoderOf(ast)
  cache.set(ast, decoder)
  return decoder
}

const successOf = (effect: Effect.Effect<unknown, unknown, unknown>): unknown =>
  Exit.isExit(effect) && Exit.isSuccess(effect) ? effect.value : notDecoded

/** Decodes from the innermost encoding of a schema, transformation by transformation, and last by the schema's own type. */
const withEncoding = ({ encoding }: SchemaAST.AST, own: DirectDecoder): DirectDecoder | undefined => {
  const decoders: Array<DirectDecoder> = []
  for (const { to, transformation } of encoding?.toReversed() ?? []) {
    const change = changeOf(transformation)
    if (change === undefined) return undefined
    decoders.push(directDecoder(to), change)
  }
  if (decoders.length === 0) return own
  decoders.push(own)
  return (input) => {
    let value = input
    for (const decode of decoders) {
      value = decode(value)
      if (value === notDecoded) return notDecoded
    }
    return value
  }
}

/** Returns the function of a transformation, or undefined if it may turn an absent value into one. */
const changeOf = (transformation: SchemaAST.Link["transformation"]): DirectDecoder | undefined => {
  if (transformation._tag === "Middleware") return undefined
  const getter = transformation.decode
  switch (getter._tag) {
    case "Passthrough":
      return (value) => value
    case "Transform":
      return getter.transform
    case "TransformEffect":
      return (value) => successOf(getter.transform(value, options))
    default:
      return undefined
  }
}

const staysAbsent = ({ encoding }: SchemaAST.AST): boolean =>
  encoding === undefined ||
  encoding.every(({ to, transformation }) => changeOf(transformation) !== undefined && staysAbsent(to))

const withChecks = (ast: SchemaAST.AST, own: DirectDecoder): DirectDecoder => {
  const before = "encodingChecks" in ast ? (ast.encodingChecks ?? []) : []
  const after = ast.checks ?? []
  if (before.length + after.length === 0) return own
  return (input) => {
    const value = own(input)
    return value === notDecoded || !passes(before, input, ast) || !passes(after, value, ast) ? notDecoded : value
  }
}

const passes = (checks: ReadonlyArray<SchemaAST.Check<unknown>>, value: unknown, ast: SchemaAST.AST): boolean => {
  for (const check of checks) {
    const isPassed =
      check._tag === "Filter" ? check.run(value, ast, options) === undefined : passes(check.checks, value, ast)
    if (!isPassed) return false
  }
  return true
}

const accept =
  (is: (input: unknown) => boolean): DirectDecoder =>
  (input) =>
    is(input) ? input : notDecoded

/** Returns the decoder of the schema's own type, without its encoding and checks, or undefined for schemas that rows seldom have. */
const typeDecoderOf = (ast: SchemaAST.AST): DirectDecoder | undefined => {
  switch (ast._tag) {
    case "String":
      return (input) => (typeof input === "string" ? input : notDecoded)
    case "Number":
      return accept(Predicate.isNumber)
    case "Boolean":
      return accept(Predicate.isBoolean)
    case "Null":
      return accept(Predicate.isNull)
    case "Unknown":
      return accept(() => true)
    case "Literal":
      return accept((input) => input === ast.literal)
    case "Declaration": {
      const parse = ast.run(ast.typeParameters)
      return (input) => {
        const value = successOf(parse(input, ast, options))
        // The library's declarations answer `missing` for a value that stays as it is.
        return value === missing ? input : value
      }
    }
    case "Objects":
      return structOf(ast, directDecoder, staysAbsent)
    case "Arrays":
      return listOf(ast, directDecoder)
    case "Union":
      return unionOf(ast, directDecoder)
    default:
      return undefined
  }
}

const libraryDecoderOf = (ast: SchemaAST.AST): DirectDecoder => {
  const decode = Schema.decodeUnknownExit(Schema.make<Schema.Codec<unknown>>(ast))
  return (input) => successOf(decode(input))
}
