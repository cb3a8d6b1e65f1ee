import { Option, Predicate, Record, Schema, type SchemaAST } from "effect"

/** What is planted in a request, and where not. */
export interface Planting {
  /** What a field may get, the first of which that its schema accepts. */
  readonly candidates: (path: string, value?: unknown) => ReadonlyArray<unknown>
  /** True for a text that stays: it has what is planted, or is an id that something was made with. */
  readonly stays: (text: string) => boolean
  /** The fields that are left as they are, and those in them. */
  readonly spares: ReadonlyArray<string>
}

// The schema of what is on the wire. Its own members are as they are before they are decoded.
const wireOf = (ast: SchemaAST.AST): SchemaAST.AST => {
  const link = ast.encoding?.at(-1)
  if (link !== undefined) return wireOf(link.to)
  return ast._tag === "Suspend" ? wireOf(ast.thunk()) : ast
}

const accepts = (ast: SchemaAST.AST, value: unknown): boolean =>
  Option.isSome(Schema.decodeUnknownOption(Schema.make<Schema.Codec<unknown>>(ast))(value))

const at = (path: string, key: string) => (path === "" ? key : `${path}.${key}`)

/** What a schema consists of: the members of an object, the elements of a list, one of several, or nothing more. */
const partsOf = (ast: SchemaAST.AST, path: string) => {
  const wire = wireOf(ast)
  const element =
    wire._tag === "Declaration" ? wire.typeParameters[0] : wire._tag === "Arrays" ? wire.rest[0] : undefined
  return {
    // A whole body may be declared as one that is read in a way of its own.
    body: path === "" && wire._tag === "Declaration" ? element : undefined,
    types: wire._tag === "Union" ? wire.types : undefined,
    members: wire._tag === "Objects" && wire.propertySignatures.length > 0 ? wire.propertySignatures : undefined,
    element
  }
}

const isSpared = (path: string, spares: ReadonlyArray<string>) =>
  spares.some((spared) => path === spared || path.startsWith(`${spared}.`))

/** The paths of the fields whose schema accepts something that is planted; `*` is any element of a list. */
export const textsIn = (ast: SchemaAST.AST, planting: Planting, path = ""): ReadonlyArray<string> => {
  if (isSpared(path, planting.spares)) return []
  const { body, element, members, types } = partsOf(ast, path)
  if (body !== undefined) return textsIn(body, planting, path)
  if (types !== undefined) return types.flatMap((type) => textsIn(type, planting, path))
  if (members !== undefined) return members.flatMap(({ name, type }) => textsIn(type, planting, at(path, String(name))))
  if (element !== undefined) return textsIn(element, planting, at(path, "*"))
  return planting.candidates(path).some((candidate) => accepts(ast, candidate)) ? [path] : []
}

/**
 * Returns a value with something planted in every field whose schema accepts it, those included that it did not have. What cannot be
 * made of texts alone, and was not there, is left out.
 */
export const plant = (ast: SchemaAST.AST, value: unknown, planting: Planting, path = ""): unknown => {
  if (isSpared(path, planting.spares)) return value
  const { body, element, members, types } = partsOf(ast, path)
  if (body !== undefined) return plant(body, value, planting, path)
  if (types !== undefined) {
    const fitting = types.filter((type) => value === undefined || accepts(type, value))
    return fitting.map((type) => plant(type, value, planting, path)).find(Predicate.isNotUndefined)
  }
  if (members !== undefined) {
    const given = Predicate.isObject(value) ? value : {}
    const planted = members.map(({ name, type }) => {
      const inner = Predicate.hasProperty(given, name) ? given[name] : undefined
      return [String(name), plant(type, inner, planting, at(path, String(name)))]
    })
    const all = Record.filter({ ...given, ...Object.fromEntries(planted) }, Predicate.isNotUndefined)
    return value === undefined && (Record.isEmptyRecord(all) || !accepts(ast, all)) ? undefined : all
  }
  if (element !== undefined) {
    const list = Array.isArray(value) ? value : [undefined]
    const planted = list.map((each) => plant(element, each, planting, at(path, "*"))).filter(Predicate.isNotUndefined)
    return planted.length > 0 ? planted : value
  }
  if (value !== undefined && planting.stays(typeof value === "string" ? value : JSON.stringify(value))) return value
  return planting.candidates(path, value).find((candidate) => accepts(ast, candidate)) ?? value
}

/** The paths of the fields of a value in which something stays that is planted, or is an id. */
export const plantedIn = (value: unknown, planting: Planting, path = ""): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap((each) => plantedIn(each, planting, at(path, "*")))
  if (Predicate.isObject(value))
    return Object.entries(value).flatMap(([key, each]) => plantedIn(each, planting, at(path, key)))
  return typeof value === "string" && planting.stays(value) ? [path] : []
}
