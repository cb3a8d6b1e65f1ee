import { requestExample } from "@care/domain/http"
import { webhookPayloads } from "@care/domain/webhooks"
import { Record, Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import type { Document, OperationObject, ResponseObject } from "./openApiDocument.ts"
import { showExamples } from "./showExamples.ts"

const tag = "Webhooks"

const tagDescription = `
The events that are sent to an organization's webhook endpoints. They are signed according to Standard Webhooks: verify the
signature with one of its libraries, using the raw bytes of the body and the secret of the endpoint. Events of one case are
delivered in the order of \`data.sequence\`, each at least once: a repeated \`webhook-id\` is the same event. New event types and
new fields of \`data\` may be added. Answer unknown types with a 2xx, and ignore unknown fields.
`

const headers = {
  "webhook-id": Schema.String.annotate({
    description: "The id of the event. It is the same in every attempt and when the event is resent"
  }),
  "webhook-timestamp": Schema.String.annotate({
    description:
      "The time of the attempt, in seconds since 1970. Refuse a request whose timestamp is more than five minutes from now"
  }),
  "webhook-signature": Schema.String.annotate({
    description:
      "`v1,` followed by the base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. While a rotated secret is still valid there are two signatures, separated by a space; one of them has to match"
  })
}

// The answers of an endpoint, and their effects.
const responses: Readonly<Record<string, ResponseObject>> = {
  "2XX": { description: "Any 2xx within 15 seconds: the event is accepted" },
  "410": { description: "The endpoint no longer exists: it is disabled" },
  "429": {
    description:
      "Too many requests (502 and 504 are treated alike): the delivery is retried later, and the endpoint receives nothing for 30 seconds, or as long as `Retry-After` says"
  },
  default: {
    description:
      "Every other response, including a redirect, is a failure. The delivery is retried: up to ten attempts over about three days. `Retry-After` is respected"
  }
}

const endpoints = webhookPayloads.map(({ example, payload, summary, type }) =>
  HttpApiEndpoint.post(type, `/${type}`, { headers, payload })
    .annotate(OpenApi.Summary, summary)
    .annotate(OpenApi.Transform, requestExample(example))
)

const [first, ...rest] = endpoints
if (first === undefined) throw new Error("There are no webhooks")

// Describes the payloads as requests of an API, so that they are generated like all other schemas.
const generated: Document = showExamples(
  JSON.parse(
    JSON.stringify(OpenApi.fromApi(HttpApi.make("webhooks").add(HttpApiGroup.make("webhooks").add(first, ...rest))))
  ),
  []
)

const asWebhook = (operation: OperationObject): OperationObject => ({
  ...operation,
  tags: [tag],
  security: [],
  responses
})

/** Adds a webhook for each type of event, in OpenAPI's section `webhooks`. */
export const describeWebhooks = (document: Document): Document => ({
  ...document,
  tags: [...(document.tags ?? []), { name: tag, description: tagDescription.trim() }],
  components: {
    ...document.components,
    schemas: { ...generated.components?.schemas, ...document.components?.schemas }
  },
  webhooks: Object.fromEntries(
    Object.entries(generated.paths).map(([path, item]) => [path.slice(1), Record.map(item, asWebhook)])
  )
})
