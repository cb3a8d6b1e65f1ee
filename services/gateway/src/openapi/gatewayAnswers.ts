import { isAdminPath } from "../answers.ts"
import { mebibyte } from "../mebibyte.ts"
import { plainEndpoints, sharedPaths } from "../routing/index.ts"
import { pathTemplate, type ResponseObject } from "./openApiDocument.ts"

type Members = Readonly<Record<string, unknown>>

const partnerError = (status: number, description: string, extraMembers: Members): ResponseObject => ({
  description,
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: ["status", "success", "error", ...Object.keys(extraMembers)],
        properties: { status: { const: status }, success: { const: false }, error: { type: "string" }, ...extraMembers }
      }
    }
  }
})

const operatorError = (description: string): ResponseObject => ({
  description,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/ProblemBody" } } }
})

const retryMembers = { message: { type: "string" }, retryAfter: { type: "number", description: "Seconds" } }

const maxBodyBytes = new Map(
  [...plainEndpoints, ...sharedPaths].map(({ endpoint, maxBodyBytes }) => [
    `${endpoint.method} ${pathTemplate(endpoint.path)}`,
    maxBodyBytes
  ])
)

/** Returns the gateway's own answers to an operation, by status. */
export const gatewayAnswers = (
  method: string,
  path: string,
  hasBody: boolean
): Readonly<Record<string, ResponseObject>> => {
  const answer = (status: number, description: string, extraMembers: Members = {}) =>
    isAdminPath(path) ? operatorError(description) : partnerError(status, description, extraMembers)
  const limit = (maxBodyBytes.get(`${method.toUpperCase()} ${path}`) ?? 0) / mebibyte
  return {
    "429": answer(
      429,
      isAdminPath(path)
        ? "Too many requests of the caller are being answered at the moment"
        : `Too many requests of the organization: in a window of time, or that are being answered at the moment${method === "get" ? "" : "; or it stores as much as it may of what the request adds to (`Quota reached`)"}`,
      retryMembers
    ),
    ...(hasBody && {
      "408": answer(408, "The body did not come in time, or too slowly"),
      "413": answer(413, `The body is larger than ${limit} MiB`)
    })
  }
}
