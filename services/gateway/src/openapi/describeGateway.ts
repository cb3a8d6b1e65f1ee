import {
  callers,
  errorCodeHeader,
  type PublicCaller,
  publicCallers,
  type RateLimitRule,
  rateWindowSeconds
} from "@care/domain/http"
import { apiVersions, currentVersion, versionHeader, versionNames } from "@care/domain/versions"
import { serverOptions } from "@care/service-kit"
import { Predicate, Record } from "effect"
import { challengeFor, plainEndpoints, sharedPaths } from "../routing/index.ts"
import { describeScope, scopeAnswer, scopesAt } from "./describeScope.ts"
import { gatewayAnswers } from "./gatewayAnswers.ts"
import { type Document, type OperationObject, pathTemplate, type ResponseObject, unique } from "./openApiDocument.ts"

// A shared path has the rules of all its operations.
const rulesAt = new Map(
  [
    ...plainEndpoints.map(({ endpoint, rateLimits }) => ({ endpoint, rules: rateLimits })),
    ...sharedPaths.map(({ actions, endpoint }) => ({
      endpoint,
      rules: unique(Array.from(actions.values(), ({ rateLimits }) => rateLimits).flat())
    }))
  ].map(({ endpoint: { method, path }, rules }) => [`${method} ${pathTemplate(path)}`, rules])
)

const describeRule = ({ name, requests }: RateLimitRule): string =>
  `\`${name}\` (${requests} in ${rateWindowSeconds} seconds)`

/** Returns the rate limit headers of an operation's answers; none for an operation without a limit. */
const describeRateLimit = (method: string, path: string): NonNullable<ResponseObject["headers"]> => {
  const rules = rulesAt.get(`${method.toUpperCase()} ${path}`) ?? []
  const [rule] = rules
  if (rule === undefined) return {}
  const { name, requests } = rule
  const governing =
    rules.length === 1
      ? describeRule(rule)
      : `the one with the fewest requests left: ${rules.map(describeRule).join(", ")}`
  return {
    "ratelimit-policy": {
      description: `The rate limit that applies to the request: \`q\` requests of the organization in \`w\` seconds. It is ${governing}. Requests with an invalid key do not count`,
      schema: { type: "string" },
      example: `"${name}";q=${requests};w=${rateWindowSeconds}`
    },
    ratelimit: {
      description: "The rest of that limit: `r` requests are left; the limit is reset in `t` seconds",
      schema: { type: "string" },
      example: `"${name}";r=${requests - 1};t=${rateWindowSeconds}`
    }
  }
}

const commonHeaders = {
  "x-request-id": {
    description: "The id of this request: the one that you sent, if it is a UUID or a ULID",
    schema: { type: "string" }
  },
  "x-client-request-id": {
    description: "The `x-request-id` that you sent, if it is neither a UUID nor a ULID. It is not stored",
    schema: { type: "string" }
  },
  "cache-control": { description: "Caches must not store the response", schema: { const: "no-store" } }
}

const isDeprecated = "Only in a deprecated version"

const versionHeaders = {
  [versionHeader]: { description: "The version of this response", schema: { enum: versionNames } },
  deprecation: {
    description: `${isDeprecated}: since when (RFC 9745)`,
    schema: { type: "string" }
  },
  sunset: { description: `${isDeprecated}: until when it is served (RFC 8594)`, schema: { type: "string" } },
  link: { description: `${isDeprecated}: the changelog`, schema: { type: "string" } }
}

const deprecatedVersions = versionNames
  .flatMap((name) => {
    const { deprecation } = apiVersions[name]
    return deprecation === undefined
      ? []
      : [`. \`${name}\` is deprecated, and served until ${deprecation.sunset.toISOString().slice(0, 10)}`]
  })
  .join("")

const versionParameter = {
  name: versionHeader,
  in: "header",
  required: false,
  description: `The version of the request and its response. This document describes \`${currentVersion}\`. Without it the organization's version applies${deprecatedVersions}`,
  schema: { enum: versionNames }
}

const retryAfter = {
  "retry-after": { description: "The number of seconds after which to retry", schema: { type: "string" } }
}

const errorCode = {
  [errorCodeHeader]: {
    description: "The code of the error, in capitals. Programs compare it; texts may change",
    schema: { type: "string", pattern: "^[A-Z0-9_]+$" },
    example: "REQUEST_INVALID"
  }
}

const describeChallenge = (example: string): NonNullable<ResponseObject["headers"]> => ({
  "www-authenticate": {
    description:
      "The credential that is missing or was refused: `ApiKey` is the key, `Bearer` a token, with `error` if the request had one, `Signature` that of the sender",
    schema: { type: "string" },
    example
  }
})

const tagged = new Set(
  plainEndpoints
    .filter(({ hasEntityTag }) => hasEntityTag)
    .map(({ endpoint: { method, path } }) => `${method} ${pathTemplate(path)}`)
)

const etag = {
  etag: {
    description: "The tag of the answer, which a later request may name in `If-None-Match`",
    schema: { type: "string" }
  }
}

const ifNoneMatch = {
  name: "if-none-match",
  in: "header",
  required: false,
  description: "The `ETag` of an earlier answer: if it is still the same, the answer is 304 without a body",
  // No head of a request may be longer.
  schema: { type: "string", maxLength: serverOptions.maxHeaderSize }
}

const notModified: ResponseObject = {
  description: "Nothing has changed since the answer with the `ETag`",
  headers: etag
}

// Adds the entity tag of a read that has one.
const withTags = (path: string, method: string, operation: OperationObject): OperationObject => {
  const { parameters = [], responses = {} } = operation
  if (!tagged.has(`${method.toUpperCase()} ${path}`)) return operation
  const { "200": found } = responses
  // A contract that declares the header for typed clients says less of it.
  const others = parameters.filter(
    (parameter) => !Predicate.hasProperty(parameter, "name") || parameter.name !== ifNoneMatch.name
  )
  return {
    ...operation,
    parameters: [...others, ifNoneMatch],
    responses: {
      ...responses,
      ...(found !== undefined && { "200": { ...found, headers: { ...found.headers, ...etag } } }),
      "304": notModified
    }
  }
}

const callerAt = new Map(plainEndpoints.map(({ caller, endpoint }) => [pathTemplate(endpoint.path), caller]))

// Shared paths are for partners.
const callerOf = (path: string): PublicCaller => callerAt.get(path) ?? "partner"

// The paths that also take the key in the body. OpenAPI has no security scheme for that, so no security is an
// alternative.
const keyInBody = new Set(
  plainEndpoints.filter(({ hasKeyInBody }) => hasKeyInBody).map(({ endpoint }) => pathTemplate(endpoint.path))
)

const permissionAt = new Map(
  plainEndpoints.map(({ endpoint: { method, path }, permission }) => [`${method} ${pathTemplate(path)}`, permission])
)

// Returns who of the staff may call an operation, as a part of its description.
const describePermission = (method: string, path: string): ReadonlyArray<string> => {
  const permission = permissionAt.get(`${method.toUpperCase()} ${path}`)
  if (permission === undefined) return []
  const stepUp = permission.needsStepUp ? " They have used a passkey within the last 5 minutes." : ""
  return [`May call: ${permission.roles.join(", ")}.${stepUp}`]
}

// An operation may need a credential in addition to the gateway's.
const securityOf = (
  method: string,
  path: string,
  { security }: OperationObject
): NonNullable<OperationObject["security"]> => {
  const caller = callerOf(path)
  const needed = Record.map(publicCallers[caller].credentials, () => scopesAt(method, path))
  if (Record.isEmptyRecord(needed)) return []
  const others = caller === "operator" ? [Record.map(callers.staff.credentials, () => [])] : []
  return [{ ...needed, ...security?.[0] }, ...others, ...(keyInBody.has(path) ? [{}] : [])]
}

const securitySchemes = Object.fromEntries(
  [...Object.values(publicCallers), callers.staff].flatMap(({ credentials }) => Object.entries(credentials))
)

const describe = (path: string, method: string, plain: OperationObject): OperationObject => {
  const operation = withTags(path, method, plain)
  const caller = callerOf(path)
  const responses = {
    ...gatewayAnswers(method, path, operation.requestBody !== undefined),
    ...operation.responses,
    ...scopeAnswer(method, path, operation.responses?.["403"])
  }
  const isOfPartner = caller === "partner"
  const headers = {
    ...commonHeaders,
    ...(isOfPartner && versionHeaders),
    ...describeRateLimit(method, path)
  }
  const description = [operation.description ?? [], ...describePermission(method, path), ...describeScope(method, path)]
    .flat()
    .join(" ")
  return {
    ...operation,
    ...(description !== "" && { description }),
    ...(isOfPartner && { parameters: [...(operation.parameters ?? []), versionParameter] }),
    security: securityOf(method, path, operation),
    responses: Record.map(responses, (response, status) => ({
      ...response,
      headers: {
        ...response.headers,
        ...headers,
        ...(Number(status) >= 400 && errorCode),
        ...(status === "401" && describeChallenge(challengeFor(caller))),
        ...((status === "429" || status === "503") && retryAfter)
      }
    }))
  }
}

/** Adds what the gateway does for every operation: security, its own answers, and headers. */
export const describeGateway = (document: Document): Document => {
  const paths = Record.map(document.paths, (item, path) =>
    Record.map(item, (operation, method) => describe(path, method, operation))
  )
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const used = new Set(operations.flatMap(({ security = [] }) => security.flatMap((needed) => Object.keys(needed))))
  return {
    ...document,
    components: {
      ...document.components,
      securitySchemes: Record.filter({ ...document.components?.securitySchemes, ...securitySchemes }, (_, name) =>
        used.has(name)
      )
    },
    paths
  }
}
