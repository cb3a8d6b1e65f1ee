import { type Effect, Exit, Option, Predicate, Schema, type SchemaAST } from "effect"
import { missing } from "effect/schema/SchemaCompiler"
import { choiceOf, decodesIfAny, ifAny, listOf, notTaken, type PlainDecoder, structOf } from "./plainShapes.ts"

const options: SchemaAST.ParseOptions = {}

const made = new WeakMap<SchemaAST.AST, PlainDecoder>()

/** Takes only what the library's own decoder of the schema takes, and makes the same of it. */
export const plainDecoder = (ast: SchemaAST.AST): PlainDecoder => {
  const known = made.get(ast)
  if (known !== undefined) return known
  const own = ownOf(ast)
  const decoder = own === undefined ? libraryOf(ast) : linked(ast, checked(ast, own))
  made.set(ast, decoder)
  return decoder
}

const succeeded = (effect: Effect.Effect<unknown, unknown, unknown>): unknown =>
  Exit.isExit(effect) && Exit.isSuccess(effect) ? effect.value : notTaken

/** What a schema is decoded from comes first, then what is made of that, step by step, and the schema itself at last. */
const linked = ({ encoding }: SchemaAST.AST, own: PlainDecoder): PlainDecoder => {
  if (encoding === undefined) return own
  const steps = encoding
    .toReversed()
    .map(({ to, transformation }) => [decodesIfAny(to, plainDecoder), changeOf(transformation)])
  const decoders = [...steps.flat(), ifAny(own)]
  return (input) => {
    let value = input
    for (const decode of decoders) {
      value = decode(value)
      if (value === notTaken) return notTaken
    }
    return value
  }
}

const changeOf = (transformation: SchemaAST.Link["transformation"]): PlainDecoder => {
  if (transformation._tag === "Middleware") return () => notTaken
  const getter = transformation.decode
  switch (getter._tag) {
    case "Passthrough":
      return (value) => value
    case "Transform":
      return ifAny(getter.transform)
    case "TransformOptional":
      return (value) =>
        Option.getOrElse(getter.transform(value === missing ? Option.none() : Option.some(value)), () => missing)
    case "TransformEffect":
      return ifAny((value) => succeeded(getter.transform(value, options)))
    case "TransformOptionalEffect":
      return () => notTaken
  }
}

const checked = (ast: SchemaAST.AST, own: PlainDecoder): PlainDecoder => {
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
  (is: (input: unknown) => boolean): PlainDecoder =>
  (input) =>
    is(input) ? input : notTaken

/** A value as the schema itself has it, whatever it was decoded from; undefined for schemas that rows and answers seldom have. */
const ownOf = (ast: SchemaAST.AST): PlainDecoder | undefined => {
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
      return structOf(ast, plainDecoder)
    case "Arrays":
      return listOf(ast, plainDecoder)
    case "Union":
      return choiceOf(ast, plainDecoder)
    default:
      return undefined
  }
}

const libraryOf = (ast: SchemaAST.AST): PlainDecoder => {
  const decode = Schema.decodeUnknownExit(Schema.make<Schema.Codec<unknown>>(ast))
  return (input) => (input === missing ? notTaken : succeeded(decode(input)))
}
