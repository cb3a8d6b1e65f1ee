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
with every body. Every answer carries \`x-request-id\`: send your own, a UUID or a ULID, to find a request
again, and name it when you ask for help (anything else is answered as \`x-client-request-id\`, and kept nowhere). Error bodies differ between endpoints; each endpoint lists its own. Fields of a
body that are not documented are ignored, except where its schema says \`unevaluatedProperties: false\` (escalations). A field
that may be left out may be \`null\` instead, which is the same unless the operation says otherwise: \`eventTypes\` of an
endpoint, \`address2\` of a profile. Texts must not contain NUL or unpaired surrogate characters.

The admin API (\`/admin/v1\`) is for operators and the care team. It takes \`Authorization: Bearer <ADMIN_TOKEN>\` and
answers errors as problem details (RFC 9457).
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
