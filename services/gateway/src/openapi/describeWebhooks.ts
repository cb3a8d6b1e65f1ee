import { webhookPayloads } from "@care/domain/webhooks"
import { Record, Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import type { Document, OperationObject, ResponseObject } from "./openApiDocument.ts"

const tag = "Webhooks"

const tagDescription = `
What is asWebhook to the webhook endpoints of an organization. The signature follows Standard Webhooks: check it with one of its
libraries, on the bytes of the body, with the secret of the endpoint. Events of one case come in the order of
\`data.sequence\`, each at least once: the same \`webhook-id\` again is the same event again. New types and new fields of
\`data\` may be added; take what you do not know with a 2xx, and leave it.
`

const headers = {
  "webhook-id": Schema.String.annotate({
    description: "The event's id: the same in every attempt, and when it is resent"
  }),
  "webhook-timestamp": Schema.String.annotate({
    description: "When the attempt was made, in seconds since 1970: refuse one that is more than five minutes off"
  }),
  "webhook-signature": Schema.String.annotate({
    description:
      "`v1,` and the base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; two of them, with a space between, while a rotated secret is still valid: one has to fit"
  })
}

// The answers of an endpoint, and their effects.
const responses: Readonly<Record<string, ResponseObject>> = {
  "2XX": { description: "Any 2xx within 15 seconds: the event was taken" },
  "410": { description: "The endpoint is gone: it is disabled" },
  "429": { description: "Too many, as 502 and 504: tried again later, and what follows is sent more slowly" },
  default: {
    description:
      "Anything else, a redirect too, has failed: it is tried again, ten attempts in all over about three days. `Retry-After` is honoured."
  }
}

const endpoints = webhookPayloads.map(({ payload, summary, type }) =>
  HttpApiEndpoint.post(type, `/${type}`, { headers, payload }).annotate(OpenApi.Summary, summary)
)

const [first, ...rest] = endpoints
if (first === undefined) throw new Error("There are no webhooks")

// Describes the payloads as requests of an API, so that they are generated like all other schemas.
const generated: Document = JSON.parse(
  JSON.stringify(OpenApi.fromApi(HttpApi.make("webhooks").add(HttpApiGroup.make("webhooks").add(first, ...rest))))
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
