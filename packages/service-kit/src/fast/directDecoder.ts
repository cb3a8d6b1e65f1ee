import { type Effect, Exit, Predicate, Schema, type SchemaAST } from "effect"
import { missing } from "effect/schema/SchemaCompiler"
import { choiceOf, type DirectDecoder, listOf, notTaken, structOf } from "./directShapes.ts"

const options: SchemaAST.ParseOptions = {}

const made = new WeakMap<SchemaAST.AST, DirectDecoder>()

/** Takes only what the library's own decoder of the schema takes, and makes the same of it. */
export const directDecoder = (ast: SchemaAST.AST): DirectDecoder => {
  const known = made.get(ast)
  if (known !== undefined) return known
  const own = ownOf(ast)
  const decoder = (own && linked(ast, checked(ast, own))) ?? libraryOf(ast)
  made.set(ast, decoder)
  return decoder
}

const succeeded = (effect: Effect.Effect<unknown, unknown, unknown>): unknown =>
  Exit.isExit(effect) && Exit.isSuccess(effect) ? effect.value : notTaken

/** What a schema is decoded from comes first, then what is made of that, step by step, and the schema itself at last. */
const linked = ({ encoding }: SchemaAST.AST, own: DirectDecoder): DirectDecoder | undefined => {
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
      if (value === notTaken) return notTaken
    }
    return value
  }
}

/** Undefined of what may make something of a value that is not there. */
const changeOf = (transformation: SchemaAST.Link["transformation"]): DirectDecoder | undefined => {
  if (transformation._tag === "Middleware") return undefined
  const getter = transformation.decode
  switch (getter._tag) {
    case "Passthrough":
      return (value) => value
    case "Transform":
      return getter.transform
    case "TransformEffect":
      return (value) => succeeded(getter.transform(value, options))
    default:
      return undefined
  }
}

const staysAbsent = ({ encoding }: SchemaAST.AST): boolean =>
  encoding === undefined ||
  encoding.every(({ to, transformation }) => changeOf(transformation) !== undefined && staysAbsent(to))

const checked = (ast: SchemaAST.AST, own: DirectDecoder): DirectDecoder => {
  const before = "encodingChecks" in ast ? (ast.encodingChecks ?? []) : []
  const after = ast.checks ?? []
  if (before.length + after.length === 0) return own
  return (input) => {
    const value = own(input)
    return value === notTaken || !passes(before, input, ast) || !passes(after, value, ast) ? notTaken : value
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

const such =
  (is: (input: unknown) => boolean): DirectDecoder =>
  (input) =>
    is(input) ? input : notTaken

/** A value as the schema itself has it, whatever it was decoded from; undefined for schemas that rows seldom have. */
const ownOf = (ast: SchemaAST.AST): DirectDecoder | undefined => {
  switch (ast._tag) {
    case "String":
      return (input) => (typeof input === "string" ? input : notTaken)
    case "Number":
      return such(Predicate.isNumber)
    case "Boolean":
      return such(Predicate.isBoolean)
    case "Null":
      return such(Predicate.isNull)
    case "Unknown":
      return such(() => true)
    case "Literal":
      return such((input) => input === ast.literal)
    case "Declaration": {
      const parse = ast.run(ast.typeParameters)
      return (input) => {
        const value = succeeded(parse(input, ast, options))
        // What the library's own declarations answer of a value that stays as it is.
        return value === missing ? input : value
      }
    }
    case "Objects":
      return structOf(ast, directDecoder, staysAbsent)
    case "Arrays":
      return listOf(ast, directDecoder)
    case "Union":
      return choiceOf(ast, directDecoder)
    default:
      return undefined
  }
}

const libraryOf = (ast: SchemaAST.AST): DirectDecoder => {
  const decode = Schema.decodeUnknownExit(Schema.make<Schema.Codec<unknown>>(ast))
  return (input) => succeeded(decode(input))
}
