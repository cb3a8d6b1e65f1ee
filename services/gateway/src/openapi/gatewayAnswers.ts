import { isAdminPath } from "../answers.ts"
import { mebibyte } from "../mebibyte.ts"
import { plainEndpoints, sharedPaths } from "../routing/index.ts"
import { pathTemplate, type ResponseObject } from "./openApiDocument.ts"

type Members = Readonly<Record<string, unknown>>

const partnerError = (status: number, description: string, extraMembers: Members, shown: Members): ResponseObject => ({
  description,
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: ["status", "success", "error", ...Object.keys(extraMembers)],
        properties: { status: { const: status }, success: { const: false }, error: { type: "string" }, ...extraMembers }
      },
      example: { status, success: false, ...shown }
    }
  }
})

const operatorError = (status: number, description: string, shown: Members): ResponseObject => ({
  description,
  content: {
    "application/problem+json": {
      schema: { $ref: "#/components/schemas/ProblemBody" },
      example: { type: "about:blank", title: description, status, detail: shown["message"] ?? shown["error"] }
    }
  }
})

const retryMembers = {
  message: { type: "string" },
  retryAfter: { type: "number", description: "The number of seconds after which to retry" }
}

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
  const answer = (status: number, description: string, shown: Members, extraMembers: Members = {}) =>
    isAdminPath(path)
      ? operatorError(status, description, shown)
      : partnerError(status, description, extraMembers, shown)
  const limit = (maxBodyBytes.get(`${method.toUpperCase()} ${path}`) ?? 0) / mebibyte
  return {
    "429": answer(
      429,
      isAdminPath(path)
        ? "Too many requests of the caller are in progress"
        : `The organization has exceeded a rate limit, or too many of its requests are in progress${method === "get" ? "" : "; or it has reached a quota of what the request stores (`Quota reached`)"}`,
      {
        error: "Rate limit exceeded",
        message: "At most 3000 requests per 60 seconds are allowed. Try again later.",
        retryAfter: 60
      },
      retryMembers
    ),
    ...(hasBody && {
      "408": answer(408, "The body was not received in time, or was sent too slowly", {
        error: "Request body was not received in time"
      }),
      "413": answer(413, `The body is larger than ${limit} MiB`, { error: `Request body is larger than ${limit} MiB` })
    })
  }
}
