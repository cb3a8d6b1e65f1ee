import { Predicate, type Schema, SchemaAST, type SchemaIssue } from "effect"
import type { Mistake } from "./Mistake.ts"

/** Why a field is refused that is not there. */
export const missingReason = "Required"

/** Why a body is refused that is no JSON, and one that is no object. */
export const notJson = "must be JSON"
export const notAnObject = "must be a JSON object"

// What the library says of a body that is no JSON.
const libraryNotJson = "Expected a valid JSON body"

// The kinds of value that a schema takes; null is not named, because it stands for a field that is left out.
const kindsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap(kindsOf)
  if (SchemaAST.isSuspend(ast)) return kindsOf(ast.thunk())
  // A moment, say, is a text on the wire.
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

// What a value has to be that is of another type, or none of a few words.
const typeReason = (ast: SchemaAST.AST): string => {
  const kinds = kindsOf(ast)
  const wanted = [...new Set(kinds.map(nounOf))]
  if (wanted.length > 1 && kinds.every(SchemaAST.isLiteral)) return `must be one of ${wanted.join(", ")}`
  return wanted.length === 0 ? "must be null" : `must be ${wanted.join(" or ")}`
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

/**
 * Everything that is wrong with a request, in its schema's order: the one place where the mistakes that the library finds
 * become sentences. A schema that says it better has a `message`, in the same form. Values stay out: they may be health
 * information.
 */
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
      const said = messageIn(inner.annotations) ?? messageIn(filter.annotations)
      return [inBody(path, said ?? expectedIn(filter.annotations))]
    }
    case "InvalidValue": {
      const said = messageIn(issue.annotations) ?? expectedIn(issue.annotations)
      return [inBody(path, said === libraryNotJson ? notJson : said)]
    }
    case "AnyOf":
      if (issue.issues.length > 0) return issue.issues.flatMap((inner) => mistakesIn(inner, path))
      return [inBody(path, messageIn(issue.ast.annotations) ?? typeReason(issue.ast), notAnObject)]
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
