import { Option, Predicate, Record, Schema, type SchemaAST } from "effect"

/** Which marks are inserted into the fields of a request, and where not. */
export interface MarkRules {
  /** Returns the candidates for a field. It gets the first one that its schema accepts. */
  readonly candidates: (path: string, value?: unknown) => ReadonlyArray<unknown>
  /** Returns whether a text stays, because it has a mark already, or comes from the fixtures. */
  readonly isKept: (text: string) => boolean
  /** The fields that stay as they are, with all fields inside. */
  readonly unmarkedFields: ReadonlyArray<string>
}

// Returns the encoded side of a schema. Its members may have encodings of their own.
const encodedAst = (ast: SchemaAST.AST): SchemaAST.AST => {
  const link = ast.encoding?.at(-1)
  if (link !== undefined) return encodedAst(link.to)
  return ast._tag === "Suspend" ? encodedAst(ast.thunk()) : ast
}

const accepts = (ast: SchemaAST.AST, value: unknown): boolean =>
  Option.isSome(Schema.decodeUnknownOption(Schema.make<Schema.Codec<unknown>>(ast))(value))

const joinPath = (path: string, key: string) => (path === "" ? key : `${path}.${key}`)

/** Returns the parts of a schema: members of an object, the element of a list, or the types of a union. */
const partsOf = (ast: SchemaAST.AST, path: string) => {
  const wire = encodedAst(ast)
  const element =
    wire._tag === "Declaration" ? wire.typeParameters[0] : wire._tag === "Arrays" ? wire.rest[0] : undefined
  return {
    // A whole body may be a declaration with a parser of its own.
    body: path === "" && wire._tag === "Declaration" ? element : undefined,
    types: wire._tag === "Union" ? wire.types : undefined,
    members: wire._tag === "Objects" && wire.propertySignatures.length > 0 ? wire.propertySignatures : undefined,
    element
  }
}

const isUnmarked = (path: string, unmarkedFields: ReadonlyArray<string>) =>
  unmarkedFields.some((field) => path === field || path.startsWith(`${field}.`))

/** Returns the paths of the fields whose schema accepts a mark; `*` is any element of a list. */
export const textFieldsIn = (ast: SchemaAST.AST, rules: MarkRules, path = ""): ReadonlyArray<string> => {
  if (isUnmarked(path, rules.unmarkedFields)) return []
  const { body, element, members, types } = partsOf(ast, path)
  if (body !== undefined) return textFieldsIn(body, rules, path)
  if (types !== undefined) return types.flatMap((type) => textFieldsIn(type, rules, path))
  if (members !== undefined)
    return members.flatMap(({ name, type }) => textFieldsIn(type, rules, joinPath(path, String(name))))
  if (element !== undefined) return textFieldsIn(element, rules, joinPath(path, "*"))
  return rules.candidates(path).some((candidate) => accepts(ast, candidate)) ? [path] : []
}

/**
 * Returns a value with a mark in every field whose schema accepts one, also in optional fields that the value did not have, unless they
 * cannot be made from texts alone.
 */
export const insertMarks = (ast: SchemaAST.AST, value: unknown, rules: MarkRules, path = ""): unknown => {
  if (isUnmarked(path, rules.unmarkedFields)) return value
  const { body, element, members, types } = partsOf(ast, path)
  if (body !== undefined) return insertMarks(body, value, rules, path)
  if (types !== undefined) {
    const matching = types.filter((type) => value === undefined || accepts(type, value))
    return matching.map((type) => insertMarks(type, value, rules, path)).find(Predicate.isNotUndefined)
  }
  if (members !== undefined) {
    const object = Predicate.isObject(value) ? value : {}
    const marked = members.map(({ name, type }) => {
      const current = Predicate.hasProperty(object, name) ? object[name] : undefined
      return [String(name), insertMarks(type, current, rules, joinPath(path, String(name)))]
    })
    const result = Record.filter({ ...object, ...Object.fromEntries(marked) }, Predicate.isNotUndefined)
    return value === undefined && (Record.isEmptyRecord(result) || !accepts(ast, result)) ? undefined : result
  }
  if (element !== undefined) {
    const list = Array.isArray(value) ? value : [undefined]
    const marked = list
      .map((each) => insertMarks(element, each, rules, joinPath(path, "*")))
      .filter(Predicate.isNotUndefined)
    return marked.length > 0 ? marked : value
  }
  if (value !== undefined && rules.isKept(typeof value === "string" ? value : JSON.stringify(value))) return value
  return rules.candidates(path, value).find((candidate) => accepts(ast, candidate)) ?? value
}

/** Returns the paths of the fields whose texts have a mark or come from the fixtures. */
export const markedFieldsIn = (value: unknown, rules: MarkRules, path = ""): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap((each) => markedFieldsIn(each, rules, joinPath(path, "*")))
  if (Predicate.isObject(value))
    return Object.entries(value).flatMap(([key, each]) => markedFieldsIn(each, rules, joinPath(path, key)))
  return typeof value === "string" && rules.isKept(value) ? [path] : []
}
