import { readFileSync } from "node:fs"
import { join } from "node:path"
import { endpoints } from "@care/domain/endpoints"
import { type PublicCaller, publicCallers } from "@care/domain/http"
import { Record } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { sharedPaths } from "../routing/index.ts"
import { describeGateway } from "./describeGateway.ts"
import { describeWebhooks } from "./describeWebhooks.ts"
import { foldActions } from "./foldActions.ts"
import { openRequests } from "./openRequests.ts"
import { showAnswers } from "./showAnswers.ts"
import { simplifySchemas } from "./simplifySchemas.ts"

const description = `
Send your organization's API key in the header \`cv-api-key\` with every request, and \`Content-Type: application/json\`
with every body.

Every response has the header \`x-request-id\`. You may send your own id in it, a UUID or a ULID; name this id when you ask for
support. Any other value is returned as \`x-client-request-id\` and is not stored.

The bodies of errors differ between endpoints; each endpoint lists its own. Unknown fields of a request body are ignored, unless
the schema has \`unevaluatedProperties: false\` (escalations). An optional field may be \`null\`, which means the same as omitting
it. Where \`null\` has another meaning, the operation says so (\`eventTypes\` of a webhook endpoint, \`address2\` of a profile).
Strings must not contain NUL or unpaired surrogate characters.

The admin API (\`/admin/v1\`) is for operators and the staff of organizations. Machines of the operator send
\`Authorization: Bearer <ADMIN_TOKEN>\`. People sign in: each operation names the roles that may call it, and people of an
organization see and change its things alone. Errors are problem details (RFC 9457); \`code\` says what a signed-in person can do.
`

// The page includes a guide of docs.
const guide = readFileSync(join(import.meta.dirname, "../../../../docs/webhooks.md"), "utf8")

const groupsFor = (kind: PublicCaller) =>
  new Set(endpoints.flatMap(({ caller, group }) => (caller === kind ? [group] : [])))

const publicEndpoints = endpoints.flatMap(({ caller = "service", endpoint }) =>
  caller in publicCallers ? [endpoint] : []
)

const [first, ...rest] = Record.keys(publicCallers).flatMap((kind) => [...groupsFor(kind)])
if (first === undefined) throw new Error("The contracts have no public endpoint")

/**
 * The API of everything that callers may use: the source of `/openapi.json` and `/docs`. It is derived from the
 * contracts, so a new endpoint is in it by itself.
 */
export const publicApi = HttpApi.make("partner-care-api")
  .add(first, ...rest)
  .annotate(OpenApi.Title, "Partner Care API")
  .annotate(OpenApi.Version, "v1")
  .annotate(OpenApi.Description, `${description}\n${guide}`.trim())
  .annotate(OpenApi.Servers, [{ url: "/" }])
  .annotate(OpenApi.Transform, (document) =>
    describeGateway(
      openRequests(
        simplifySchemas(
          describeWebhooks(
            foldActions(showAnswers({ ...document, paths: document["paths"] }, publicEndpoints), sharedPaths)
          )
        )
      )
    )
  )
