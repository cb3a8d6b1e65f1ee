import { plainRoutes } from "../routing/routes.ts"
import { gatewayAnswers } from "./gatewayAnswers.ts"
import type { Document, Operation, PathItem } from "./openApiDocument.ts"
import { pathTemplate } from "./pathTemplate.ts"

const requestIdHeader = {
  "x-request-id": { description: "The id of this request: yours if you sent a sane one", schema: { type: "string" } }
}

const cacheControl = {
  "cache-control": { description: "No cache may keep the answer", schema: { const: "no-store" } }
}

const noStorePaths = new Set(
  plainRoutes.filter(({ isNoStore }) => isNoStore).map(({ endpoint }) => pathTemplate(endpoint.path))
)

const linkPaths = new Set(
  plainRoutes.filter(({ access }) => access === "link").map(({ endpoint }) => pathTemplate(endpoint.path))
)

// Beside what the gateway asks for, an operation may ask for a credential of its own.
const securityOf = (path: string, { security }: Operation): NonNullable<Operation["security"]> => {
  if (linkPaths.has(path)) return []
  return [path.startsWith("/admin/") ? { adminToken: [] } : { apiKey: [], ...security?.[0] }]
}

const describe = (path: string, method: string, operation: Operation): Operation => {
  const responses = {
    ...gatewayAnswers(method, path, operation.requestBody !== undefined),
    ...operation.responses
  }
  const headers = { ...requestIdHeader, ...(noStorePaths.has(path) && cacheControl) }
  return {
    ...operation,
    security: securityOf(path, operation),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        { ...response, headers: { ...response.headers, ...headers } }
      ])
    )
  }
}

const describePath = (path: string, item: PathItem): PathItem =>
  Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, describe(path, method, operation)]))

/** Adds what the gateway does to every operation: the credentials it asks for, what it answers itself, the headers. */
export const describeGateway = (document: Document): Document => ({
  ...document,
  components: {
    ...document.components,
    securitySchemes: {
      ...document.components?.securitySchemes,
      apiKey: { type: "apiKey", name: "cv-api-key", in: "header", description: "The organization's API key" },
      adminToken: { type: "http", scheme: "bearer", description: "The operator's token" }
    }
  },
  paths: Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path, describePath(path, item)]))
})
