import { adminDocument, publicDocument } from "@care/gateway/openapi"
import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
const documents = { partner: publicDocument, admin: adminDocument }
for (const [name, document] of Object.entries(documents)) ajv.addSchema(document, name)

/** The operations of both documents, by path. */
export const documentedPaths = { ...publicDocument.paths, ...adminDocument.paths }

const isFailure = ajv.compile({
  type: "object",
  required: ["status", "success", "error"],
  properties: { status: { type: "integer" }, success: { const: false }, error: { type: "string" } },
  additionalProperties: false
})

const pointer = (segments: ReadonlyArray<string>) =>
  segments.map((segment) => `/${encodeURIComponent(segment.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")

/** Returns why a value does not fit the schema at a place in a document; empty if it fits. */
export const schemaErrors = (
  document: keyof typeof documents,
  place: ReadonlyArray<string>,
  value: unknown
): string => {
  const validate = ajv.getSchema(`${document}#${pointer(place)}`)
  if (validate === undefined) throw new Error(`The document ${document} has no schema at ${place.join(" ")}`)
  return validate(value) === true ? "" : ajv.errorsText(validate.errors, { dataVar: "body", separator: "; " })
}

const json = "application/json"
const isJson = (contentType: string) => contentType === json || contentType.endsWith("+json")
const essence = (contentType: string | null) => contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? ""

// Paths that the gateway answers and no document has: probes and the documents themselves.
const isUndocumentedPath = (path: string) => /^\/(health\/(live|ready)|metrics|openapi(\/\w+)?\.json|docs)$/.test(path)

// The shared path of the case actions: it requires a key, and refuses unknown actions, which no document has.
const isCaseAction = (method: string, path: string) => method === "POST" && /^\/api\/v1\/cases\/[^/]+$/.test(path)

const withoutQuery = (path: string): string => path.replace(/\?.*/s, "")

const documentOf = (template: string) => (publicDocument.paths[template] === undefined ? "admin" : "partner")

const placeOf = (template: string, method: string) => ["paths", template, method.toLowerCase()]

const templates = Object.keys(documentedPaths).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`)
}))

const templateOf = (path: string): string | undefined =>
  documentedPaths[path] === undefined ? templates.find(({ pattern: form }) => form.test(path))?.template : path

// Checks the gateway's response to a path or method that no document has.
const refusal = (expected: number, status: number, body: unknown): string =>
  status === expected && isFailure(body) ? "" : `what no document has is answered ${expected}`

const problemWith = (method: string, path: string, status: number, contentType: string, body: unknown): string => {
  if (isUndocumentedPath(path) || isCaseAction(method, path)) return ""
  const template = templateOf(path)
  if (template === undefined) return refusal(404, status, body)
  const operation = documentedPaths[template]?.[method.toLowerCase()]
  if (operation === undefined) {
    return template.startsWith("/admin/") && status === 405
      ? schemaErrors("admin", ["components", "schemas", "ProblemBody"], body)
      : refusal(405, status, body)
  }
  const response = operation.responses?.[String(status)]
  if (response === undefined) return "the status is not documented"
  if (response.content === undefined) return body === undefined ? "" : "no body is documented"
  if (response.content[contentType] === undefined) return `the content type ${contentType} is not documented`
  return isJson(contentType)
    ? schemaErrors(
        documentOf(template),
        [...placeOf(template, method), "responses", String(status), "content", contentType, "schema"],
        body
      )
    : ""
}

/**
 * Fails unless a document has the status, content type and body of a response for the operation. `path` may have a query. `body`
 * is undefined if the response has none, and is checked if it is JSON.
 */
export const assertDocumented = (
  method: string,
  path: string,
  status: number,
  contentType: string | null,
  body: unknown
): void => {
  const problem = problemWith(method, withoutQuery(path), status, essence(contentType), body)
  if (problem !== "") throw new Error(`${method} ${path} answered ${status} not as documented: ${problem}`)
}

/** Fails unless the body of an accepted request fits its document. */
export const assertAcceptable = (method: string, path: string, body: unknown): void => {
  const template = templateOf(withoutQuery(path)) ?? ""
  if (documentedPaths[template]?.[method.toLowerCase()]?.requestBody === undefined) return
  const problem = schemaErrors(
    documentOf(template),
    [...placeOf(template, method), "requestBody", "content", json, "schema"],
    body
  )
  if (problem !== "") throw new Error(`${method} ${path} accepted a body that is not documented: ${problem}`)
}
