import { Predicate, type Schema, SchemaAST, type SchemaIssue } from "effect"
import { type Mistake, maxMistakes, RequestInvalid } from "./RequestErrors.ts"
import { blankReason } from "./Text.ts"

// Reasons of mistakes.
export const missingReason = "Required"
export const notJson = "must be JSON"
export const notAnObject = "must be a JSON object"

// The library's message for a body that is no JSON.
const libraryNotJson = "Expected a valid JSON body"

// The kinds of values that a schema accepts. Null is left out, because it means that a field is absent.
const kindsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap(kindsOf)
  if (SchemaAST.isSuspend(ast)) return kindsOf(ast.thunk())
  // For example a moment, which is a text in JSON.
  if (SchemaAST.isDeclaration(ast) && ast.encoding !== undefined) return kindsOf(SchemaAST.toEncoded(ast))
  return SchemaAST.isNull(ast) || SchemaAST.isUndefined(ast) ? [] : [ast]
}

const nouns: Partial<Record<SchemaAST.AST["_tag"], string>> = {
  String: "a text",
  TemplateLiteral: "a text",
  Number: "a number",
  Boolean: "true or false",
  Objects: "an object",
  Arrays: "an array"
}

const nounOf = (ast: SchemaAST.AST): string => {
  if (SchemaAST.isLiteral(ast)) return String(ast.literal)
  const expected = ast.annotations?.["expected"]
  return nouns[ast._tag] ?? (Predicate.isString(expected) ? expected : "of another type")
}

const typeReason = (ast: SchemaAST.AST): string => {
  const kinds = kindsOf(ast)
  const expected = [...new Set(kinds.map(nounOf))]
  if (expected.length > 1 && kinds.every(SchemaAST.isLiteral)) return `must be one of ${expected.join(", ")}`
  return expected.length === 0 ? "must be null" : `must be ${expected.join(" or ")}`
}

type Annotations = Schema.Annotations.Annotations | undefined

const messageIn = (annotations: Annotations): string | undefined => {
  const message = annotations?.["message"]
  return Predicate.isString(message) ? message : undefined
}

const expectedIn = (annotations: Annotations): string => {
  const expected = annotations?.["expected"]
  return Predicate.isString(expected) ? `must be ${expected}` : "is not valid"
}

const pathOf = (path: ReadonlyArray<PropertyKey>): string => path.map(String).join(".")

const inBody = (path: ReadonlyArray<PropertyKey>, reason: string, whole = reason): Mistake =>
  path.length === 0 ? { path: "body", reason: whole } : { path: pathOf(path), reason }

// Returns the tag of each type of a tagged union: its first field, which has one value. Returns none if the union is not tagged.
const tagsOf = (types: ReadonlyArray<SchemaAST.AST>) => {
  const tags = types.flatMap((type) => (SchemaAST.isObjects(type) ? (type.propertySignatures[0] ?? []) : []))
  return tags.length === types.length && tags.every(({ type }) => SchemaAST.isLiteral(type)) ? tags : []
}

/** Returns the mistakes of a request in the order of its schema, without values. A schema's `message` replaces the general sentence. */
export const mistakesIn = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey> = []): ReadonlyArray<Mistake> => {
  switch (issue._tag) {
    case "Pointer":
      return mistakesIn(issue.issue, [...path, ...issue.path])
    case "Encoding":
      return mistakesIn(issue.issue, path)
    case "Composite":
      return issue.issues.flatMap((inner) => mistakesIn(inner, path))
    case "Filter": {
      const { filter, issue: inner } = issue
      if (inner._tag !== "InvalidValue") return mistakesIn(inner, path)
      const message = messageIn(inner.annotations) ?? messageIn(filter.annotations)
      return [inBody(path, message ?? expectedIn(filter.annotations))]
    }
    case "InvalidValue": {
      const message = messageIn(issue.annotations) ?? expectedIn(issue.annotations)
      return [inBody(path, message === libraryNotJson ? notJson : message)]
    }
    case "AnyOf": {
      if (issue.issues.length > 0) return issue.issues.flatMap((inner) => mistakesIn(inner, path))
      const tags = tagsOf(issue.ast.types)
      if (tags[0] !== undefined) {
        const names = tags.map(({ type }) => nounOf(type))
        return [inBody([...path, tags[0].name], `must be one of ${names.join(", ")}`)]
      }
      return [inBody(path, messageIn(issue.ast.annotations) ?? typeReason(issue.ast), notAnObject)]
    }
    case "InvalidType":
      return [inBody(path, messageIn(issue.ast.annotations) ?? typeReason(issue.ast), notAnObject)]
    case "MissingKey":
      return [inBody(path, missingReason)]
    case "UnexpectedKey":
      return [inBody(path, "must not be there")]
    case "OneOf":
    case "Forbidden":
      return [inBody(path, "is not valid")]
  }
}

/** Whether a field is missing or blank. */
export const isAbsent = ({ reason }: Mistake): boolean => reason === missingReason || reason === blankReason

/** Returns the error of a request that does not decode: the first mistake of each field, of at most `maxMistakes` fields. */
export const requestInvalid = (part: RequestInvalid["part"], error: Schema.SchemaError): RequestInvalid => {
  const byPath = new Map<string, Mistake>()
  for (const mistake of mistakesIn(error.issue)) {
    if (byPath.size < maxMistakes && !byPath.has(mistake.path)) byPath.set(mistake.path, mistake)
  }
  const [first = { path: "body", reason: "is not valid" }, ...others] = byPath.values()
  return new RequestInvalid({ part, ...first, others })
}
