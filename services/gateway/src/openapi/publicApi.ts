import { readFileSync } from "node:fs"
import { join } from "node:path"
import { endpoints } from "@care/domain/endpoints"
import type { PublicCaller } from "@care/domain/http"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { sharedPaths } from "../routing/index.ts"
import { describeGateway } from "./describeGateway.ts"
import { describeWebhooks } from "./describeWebhooks.ts"
import { foldActions } from "./foldActions.ts"
import type { Document } from "./openApiDocument.ts"
import { openRequests } from "./openRequests.ts"
import { showAnswers } from "./showAnswers.ts"
import { showExamples } from "./showExamples.ts"
import { simplifySchemas } from "./simplifySchemas.ts"

const requests = `
Every response has the header \`x-request-id\`. You may send your own id in it, a UUID or a ULID; name this id when you ask for
support. Any other value is returned as \`x-client-request-id\` and is not stored.

A path that has GET answers HEAD with the same headers and no body, and counts it as the same request. OPTIONS answers 204 with the
methods of a path in \`Allow\`. No answer lets pages of other sites read it (CORS): a key does not belong in a browser.

Operations with a rate limit answer with its headers \`RateLimit-Policy\` and \`RateLimit\`, whatever the status, and a 429 or 503 with
\`Retry-After\`. A 401 names the credential in \`WWW-Authenticate\`.

Unknown fields of a request body are ignored, unless the schema has \`unevaluatedProperties: false\` (escalations). An optional
field may be \`null\`, which means the same as omitting it, unless the operation says what it means. Strings must not contain NUL
or unpaired surrogate characters. Every error has the header \`care-error-code\`, such as \`CASE_CLOSED\`.
`

const partnerDescription = `
Send your organization's API key in the header \`cv-api-key\` with every request, and \`Content-Type: application/json\`
with every body.
${requests}
The bodies of errors differ between endpoints; each endpoint lists its own. \`null\` has a meaning of its own in \`eventTypes\` of
a webhook endpoint and in \`address2\` of a profile. Reads of the catalogue have an \`ETag\`.
`

const adminDescription = `
The admin API is for operators and the staff of organizations. Machines of the operator send
\`Authorization: Bearer <ADMIN_TOKEN>\`. People sign in: each operation names the roles that may call it, and people of an
organization see and change its things alone. Reads of the catalogue and the dashboard have an \`ETag\`. Errors are problem details (RFC 9457); \`code\` says what a signed-in person can do.
${requests}
The payment gateway, the pharmacy and the scheduling provider call the paths below \`/webhooks\`, each with its own signature.
`

// The page includes a guide of docs.
const guide = readFileSync(join(import.meta.dirname, "../../../../docs/webhooks.md"), "utf8")

const apiOf = (
  id: string,
  title: string,
  text: string,
  kinds: ReadonlyArray<PublicCaller>,
  write: (document: Document) => Document
) => {
  const shown = endpoints.filter(({ caller = "service" }) => kinds.some((kind) => kind === caller))
  // In the order of the kinds.
  const groups = new Set(
    kinds.flatMap((kind) => shown.flatMap(({ caller, group }) => (caller === kind ? [group] : [])))
  )
  const [first, ...rest] = groups
  if (first === undefined) throw new Error(`The contracts have no endpoint of ${id}`)
  const own = shown.map(({ endpoint }) => endpoint)
  return HttpApi.make(id)
    .add(first, ...rest)
    .annotate(OpenApi.Title, title)
    .annotate(OpenApi.Version, "v1")
    .annotate(OpenApi.Description, text.trim())
    .annotate(OpenApi.Servers, [{ url: "/" }])
    .annotate(OpenApi.Transform, (document) =>
      describeGateway(
        openRequests(
          simplifySchemas(write(showExamples(showAnswers({ ...document, paths: document["paths"] }, own), own)))
        )
      )
    )
}

/** The API of partners, with links to files and webhooks: the source of `/openapi.json` and `/docs`. */
export const partnerApi = apiOf(
  "partner-care-api",
  "Partner Care API",
  `${partnerDescription}\n${guide}`,
  ["partner", "link"],
  (document) => describeWebhooks(foldActions(document, sharedPaths))
)

/** The API of operators and staff, with what third parties call: the source of `/openapi/admin.json`. */
export const adminApi = apiOf(
  "admin-care-api",
  "Admin API of Partner Care",
  adminDescription,
  ["operator", "session", "pharmacy", "stripe", "scheduling"],
  (document) => document
)
