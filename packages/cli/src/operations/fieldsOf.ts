import type { ServedEndpoint } from "@care/domain/endpoints"
import { Option, Schema, SchemaAST } from "effect"
import { bodyOf } from "../callOperation.ts"

/** The kind of a field's value. `records` are objects with their own fields, `files` are those with a file in base64. */
export type FieldKind =
  | { readonly kind: "id" | "text" | "moment" | "integer" | "number" | "boolean" | "texts" | "files" }
  | { readonly kind: "choice"; readonly choices: ReadonlyArray<string> }
  | { readonly kind: "records"; readonly fields: ReadonlyArray<Field> }

/** A field of a request that a flag or an argument can give. `name` has the names of the objects around it: `shippingLog.status`. */
export type Field = FieldKind & {
  readonly name: string
  readonly part: "query" | "body"
  readonly isRequired: boolean
  /** Whether null removes it. */
  readonly isRemovable: boolean
}

/** The parts of a JSON schema that say what a field is. */
interface Shape {
  readonly type?: string
  readonly format?: string
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: ReadonlyArray<string>
  readonly anyOf?: ReadonlyArray<Shape>
  readonly $ref?: string
}

const inner: Schema.Codec<Shape> = Schema.suspend(() => Shape)
const Shape = Schema.Struct({
  type: Schema.optionalKey(Schema.String),
  format: Schema.optionalKey(Schema.String),
  items: Schema.optionalKey(inner),
  properties: Schema.optionalKey(Schema.Record(Schema.String, inner)),
  required: Schema.optionalKey(Schema.Array(Schema.String)),
  anyOf: Schema.optionalKey(Schema.Array(inner)),
  $ref: Schema.optionalKey(Schema.String)
})
const readShape = Schema.decodeUnknownOption(Shape)

/** Returns the fields of an object's values once decoded, by their names. */
const valuesIn = (ast: SchemaAST.AST): ReadonlyMap<PropertyKey, SchemaAST.AST> => {
  const type = SchemaAST.toType(ast)
  const [object] = SchemaAST.isUnion(type) ? type.types.filter(SchemaAST.isObjects) : [type]
  return object !== undefined && SchemaAST.isObjects(object)
    ? new Map(object.propertySignatures.map((property) => [property.name, property.type]))
    : new Map()
}

const typesIn = (ast: SchemaAST.AST | undefined): ReadonlyArray<SchemaAST.AST> => {
  if (ast === undefined || SchemaAST.isUndefined(ast)) return []
  return SchemaAST.isUnion(ast) ? ast.types.flatMap(typesIn) : [ast]
}

// In JSON a word in any letter case is a text.
const choicesIn = (ast: SchemaAST.AST | undefined): ReadonlyArray<string> => {
  const types = typesIn(ast)
  return types.every(SchemaAST.isLiteral) ? types.map(({ literal }) => String(literal)) : []
}

const allowsNull = (ast: SchemaAST.AST | undefined): boolean => typesIn(ast).some(SchemaAST.isNull)

const simpleKinds: Readonly<Record<string, FieldKind>> = {
  integer: { kind: "integer" },
  number: { kind: "number" },
  boolean: { kind: "boolean" },
  string: { kind: "text" }
}

const fieldsIn = (schema: Schema.Top, part: Field["part"]): ReadonlyArray<Field> => {
  const document = Schema.toJsonSchemaDocument(schema)

  const resolved = (shape: Shape): Shape => {
    const [, name = ""] = /\/([^/]+)$/.exec(shape.$ref ?? "") ?? []
    const definition = Option.getOrUndefined(readShape(document.definitions[name]))
    if (definition !== undefined) return resolved(definition)
    const [only] = shape.anyOf?.filter(({ type }) => type !== "null") ?? []
    return only === undefined ? shape : resolved(only)
  }

  const kindOf = (shape: Shape, choices: ReadonlyArray<string>): FieldKind | undefined => {
    if (choices.length > 0) return { kind: "choice", choices }
    if (shape.format === "uuid") return { kind: "id" }
    if (shape.format === "date-time") return { kind: "moment" }
    if (shape.type !== "array") return simpleKinds[shape.type ?? ""]
    const items = resolved(shape.items ?? {})
    if (items.type === "string") return { kind: "texts" }
    const fields = walk(items, "", new Map())
    if (fields.some(({ name }) => name === "content")) return { kind: "files" }
    return fields.length === 0 ? undefined : { kind: "records", fields }
  }

  const walk = (
    { properties = {}, required = [] }: Shape,
    prefix: string,
    values: ReadonlyMap<PropertyKey, SchemaAST.AST>
  ): ReadonlyArray<Field> =>
    Object.entries(properties).flatMap(([key, property]): ReadonlyArray<Field> => {
      const shape = resolved(property)
      const value = values.get(key)
      const name = `${prefix}${key}`
      if (shape.type === "object") return walk(shape, `${name}.`, value === undefined ? new Map() : valuesIn(value))
      const kind = key === "limit" ? simpleKinds["integer"] : kindOf(shape, choicesIn(value))
      if (kind === undefined) return []
      return [{ ...kind, name, part, isRequired: required.includes(key), isRemovable: allowsNull(value) }]
    })

  const root = Option.getOrElse(readShape(document.schema), (): Shape => ({}))
  return walk(resolved(root), "", valuesIn(schema.ast))
}

/** Returns the fields of an operation's query and body that have a form for the command line, from its contract. */
export const fieldsOf = (contract: ServedEndpoint): ReadonlyArray<Field> => {
  const body = bodyOf(contract)
  return [
    ...(contract.endpoint.query === undefined ? [] : fieldsIn(contract.endpoint.query, "query")),
    ...(body === undefined ? [] : fieldsIn(body, "body"))
  ]
}
