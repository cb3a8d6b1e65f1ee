import { publicCallers } from "@care/domain/http"
import { Record } from "effect"
import { plainEndpoints } from "../routing/index.ts"
import { describeRateLimit } from "./describeRateLimit.ts"
import { gatewayAnswers } from "./gatewayAnswers.ts"
import type { Document, Operation } from "./openApiDocument.ts"
import { pathTemplate } from "./pathTemplate.ts"

const everyAnswer = {
  "x-request-id": {
    description: "The id of this request: yours if you sent a UUID or a ULID",
    schema: { type: "string" }
  },
  "x-client-request-id": {
    description: "The `x-request-id` that you sent, if it was neither: it is kept nowhere",
    schema: { type: "string" }
  },
  "cache-control": { description: "No cache may keep the answer", schema: { const: "no-store" } }
}

const retryAfter = {
  "retry-after": { description: "In how many seconds to try again", schema: { type: "string" } }
}

const callerAt = new Map(plainEndpoints.map(({ caller, endpoint }) => [pathTemplate(endpoint.path), caller]))

// The paths that also take the key in the body. OpenAPI has no security scheme for that, so no security is an
// alternative.
const keyInBody = new Set(
  plainEndpoints.filter(({ hasKeyInBody }) => hasKeyInBody).map(({ endpoint }) => pathTemplate(endpoint.path))
)

// An operation may need a credential beside the gateway's.
const securityOf = (path: string, { security }: Operation): NonNullable<Operation["security"]> => {
  // Shared paths are for partners.
  const { credentials } = publicCallers[callerAt.get(path) ?? "partner"]
  const needed = Record.map(credentials, () => [])
  if (Record.isEmptyRecord(needed)) return []
  return [{ ...needed, ...security?.[0] }, ...(keyInBody.has(path) ? [{}] : [])]
}

const securitySchemes = Object.fromEntries(
  Object.values(publicCallers).flatMap(({ credentials }) => Object.entries(credentials))
)

const describe = (path: string, method: string, operation: Operation): Operation => {
  const responses = {
    ...gatewayAnswers(method, path, operation.requestBody !== undefined),
    ...operation.responses
  }
  const headers = {
    ...everyAnswer,
    ...describeRateLimit(method, path)
  }
  return {
    ...operation,
    security: securityOf(path, operation),
    responses: Record.map(responses, (response, status) => ({
      ...response,
      headers: { ...response.headers, ...headers, ...((status === "429" || status === "503") && retryAfter) }
    }))
  }
}

/** Adds what the gateway does for every operation: security, its own answers, and headers. */
export const describeGateway = (document: Document): Document => ({
  ...document,
  components: {
    ...document.components,
    securitySchemes: {
      ...document.components?.securitySchemes,
      ...securitySchemes
    }
  },
  paths: Record.map(document.paths, (item, path) =>
    Record.map(item, (operation, method) => describe(path, method, operation))
  )
})
