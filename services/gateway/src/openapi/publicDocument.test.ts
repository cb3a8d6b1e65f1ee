import { CreateCase, CreateDynamicCase, escalationTitles, QuestionType } from "@care/domain/cases"
import { currentVersion, versionNames } from "@care/domain/versions"
import { WebhookEventType } from "@care/domain/webhooks"
import { assert, describe, it } from "@effect/vitest"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Predicate, Schema } from "effect"
import type { Document } from "./openApiDocument.ts"
import { adminDocument, publicDocument } from "./publicDocument.ts"

const text = JSON.stringify(publicDocument)

// Rules of the linter that do not apply here.
const exceptions = {
  // The repository is UNLICENSED: using the API takes a contract.
  "info-license": "off"
} as const

// The parameters and the request bodies of a document.
const requestSchemas = (document: Document): ReadonlyArray<unknown> =>
  Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ parameters = [], requestBody }) => [...parameters, requestBody])

const walk = (
  value: unknown,
  visit: (schema: Readonly<Record<string, unknown>>) => void,
  document: Document = publicDocument
): void => {
  if (Array.isArray(value)) for (const inner of value) walk(inner, visit, document)
  if (!Predicate.isObject(value)) return
  const { $ref } = value
  if (Predicate.isString($ref)) walk(document.components?.schemas?.[$ref.split("/").at(-1) ?? ""], visit, document)
  visit(value)
  for (const [key, inner] of Object.entries(value)) if (!key.startsWith("example")) walk(inner, visit, document)
}

// Visits the request schemas of both documents.
const eachRequest = (visit: (schema: Readonly<Record<string, unknown>>) => void): void => {
  for (const document of [publicDocument, adminDocument]) walk(requestSchemas(document), visit, document)
}

describe("the public document", () => {
  it("and that of the admin API pass a strict linter", async () => {
    const config = await createConfig({ extends: ["recommended-strict"], rules: exceptions })
    const mistakesIn = async (source: string) =>
      (await lintFromString({ source, config })).map(
        ({ location: [place], message, ruleId }) => `${ruleId}: ${message} ${place?.pointer ?? ""}`
      )
    assert.deepStrictEqual(await mistakesIn(text), [])
    assert.deepStrictEqual(await mistakesIn(JSON.stringify(adminDocument)), [
      // It sends the browser on, to the console.
      "operation-2xx-response: Operation must have at least one `2XX` response. #/paths/~1admin~1v1~1session~1oidc~1callback/get/responses"
    ])
    const incomplete = JSON.stringify({ openapi: "3.1.0", info: { title: "", version: "" }, paths: {} })
    assert.isNotEmpty(await mistakesIn(incomplete), "the linter finds mistakes")
  })

  it("bounds every text, list and number of a request", () => {
    let seen = 0
    eachRequest((schema) => {
      seen += 1
      const { type } = schema
      const isListed = "enum" in schema || "const" in schema || schema["format"] === "uuid"
      const json = JSON.stringify(schema)
      if (type === "string" && !isListed) assert.property(schema, "maxLength", json)
      if (type === "array") assert.property(schema, "maxItems", json)
      if (type === "number" || type === "integer") {
        assert.isTrue("minimum" in schema || "exclusiveMinimum" in schema, json)
        assert.isTrue("maximum" in schema || "exclusiveMaximum" in schema, json)
      }
      if (type === "object") assert.isTrue("properties" in schema || "maxProperties" in schema, json)
    })
    assert.isAbove(seen, 500)
  })

  it("says which amounts are refused in any currency", () => {
    const amountOf = (name: string, { components } = publicDocument) => {
      const schema = components?.schemas?.[name]
      const properties = Predicate.isObject(schema) && schema["properties"]
      return Predicate.isObject(properties) && properties["amount"]
    }
    const paid = {
      type: "number",
      exclusiveMinimum: 0,
      exclusiveMaximum: 1_000_000_000,
      description: "In major units: positive, below 1,000,000,000"
    }
    assert.deepStrictEqual(amountOf("CreatePayment"), paid)
    assert.deepStrictEqual(amountOf("NewPaymentIntent"), paid)
    assert.deepStrictEqual(amountOf("PartOfPayment", adminDocument), { anyOf: [paid, { type: "null" }] })
    const expected = { type: "number", minimum: 0, exclusiveMaximum: 1_000_000_000 }
    assert.deepStrictEqual(amountOf("PaymentConfirmation"), expected)
  })

  it("offers no alternatives within alternatives of a request, such as null twice", () => {
    eachRequest(({ anyOf }) => {
      if (!Array.isArray(anyOf)) return
      for (const offered of anyOf) assert.notProperty(offered, "anyOf", JSON.stringify(anyOf))
    })
  })

  it("has a webhook for each type of event, signed, with a schema that new fields fit", () => {
    const { components = {}, webhooks = {} } = publicDocument
    assert.sameMembers(Object.keys(webhooks), [...WebhookEventType.literals])
    for (const [type, { post }] of Object.entries(webhooks)) {
      assert.deepStrictEqual(post?.security, [], type)
      const headers = (post?.parameters ?? []).map((parameter) =>
        Predicate.hasProperty(parameter, "name") ? parameter.name : undefined
      )
      assert.deepStrictEqual(headers, ["webhook-id", "webhook-timestamp", "webhook-signature"])
      const schema = JSON.stringify(post?.requestBody?.content["application/json"]?.schema)
      const name = /schemas\/(\w+)"/.exec(schema)?.[1] ?? assert.fail(schema)
      assert.deepInclude(components.schemas?.[name], { type: "object", required: ["type", "timestamp", "data"] })
      walk(components.schemas?.[name], (schema) => assert.notProperty(schema, "additionalProperties"))
    }
  })

  it("says how a webhook's signature is verified, with the guide's code", () => {
    const description = publicDocument.info?.description ?? ""
    for (const language of ["ts", "python", "php"]) assert.include(description, `\n\`\`\`${language}\n`)
  })

  it("says what is deprecated, and what to use instead: titles of escalations, and versions", () => {
    for (const { deprecated } of Object.values(escalationTitles)) {
      for (const [title, current] of Object.entries(deprecated)) assert.include(text, `${title} (use ${current})`)
    }
    for (const name of versionNames.filter((version) => version !== currentVersion)) {
      assert.match(text, new RegExp(`\`${name}\` is deprecated, and served until \\d{4}-`))
    }
  })

  it("says how a case is created that is paid later, and what becomes of it", () => {
    const { description = "", requestBody } = publicDocument.paths["/api/v1/cases"]?.["post"] ?? {}
    const flow = ["/api/v1/payments/intent", "ABANDONED", "idempotencyKey", "`providerReference`", "IDEMPOTENCY_ERROR"]
    const outcomes = ["payment_intent.succeeded", "payment_intent.payment_failed", "Payment intent failed"]
    for (const word of [...flow, ...outcomes]) assert.include(description, word)
    const { examples = {} } = requestBody?.content["application/json"] ?? {}
    assert.sameMembers(Object.keys(examples), ["OPEN", "ABANDONED"])
    const decode = Schema.decodeUnknownSync(Schema.toCodecJson(CreateCase))
    for (const [status, { value }] of Object.entries(examples))
      assert.strictEqual(decode(value).status ?? "OPEN", status)
  })

  it("describes the fields of case creation beyond their names: when they are needed, and in which form", () => {
    const described = new Set<string>()
    walk(publicDocument.components?.schemas?.["CreateCase"], ({ properties = {} }) => {
      if (!Predicate.isObject(properties)) return
      for (const [name, property] of Object.entries(properties)) {
        if (JSON.stringify(property).includes('"description":"')) described.add(name)
      }
    })
    const fields = ["status", "isTest", "forceCreate", "idempotencyKey", "phoneNumber", "dob", "languagePreferences"]
    assert.includeMembers([...described], [...fields, "amount", "currency", "promoCode", "id", "answer", "phi"])
  })

  it("says what the answer to a question of each type is, of a form with a title and of one with an id", () => {
    const { description = "", requestBody } = publicDocument.paths["/api/v1/dynamic-case"]?.["post"] ?? {}
    const rows = description.split("\n").filter((line) => line.startsWith("| `"))
    const types = rows.map((row) => /^\| `(\w+)` \| \S[^|]* \| \S[^|]* \|$/.exec(row)?.[1] ?? assert.fail(row))
    assert.deepStrictEqual(types, [...QuestionType.literals])
    for (const word of ["`weigh`", "`goal`", "`initiative`"]) assert.include(description, word)
    const { examples = {} } = requestBody?.content["application/json"] ?? {}
    assert.sameMembers(Object.keys(examples), ["formTitle", "formId"])
    const decode = Schema.decodeUnknownSync(Schema.toCodecJson(CreateDynamicCase))
    for (const [kind, { value }] of Object.entries(examples)) assert.property(decode(value), kind)
    const { description: submitting } = publicDocument.paths["/api/v1/customer-dynamic-case-form"]?.["post"] ?? {}
    assert.include(submitting, "`POST /api/v1/dynamic-case`")
  })

  it("allows null only where the specification's tables do: an unknown text is empty", () => {
    const nullable = (name: string): ReadonlyArray<string> => {
      const { properties }: { properties: Readonly<Record<string, unknown>> } = JSON.parse(
        JSON.stringify(publicDocument.components?.schemas?.[name])
      )
      return Object.keys(properties).filter((field) => JSON.stringify(properties[field]).includes('"type":"null"'))
    }
    const texts = [
      "trackingId",
      "message",
      "replacementReason",
      "shippingLogs",
      "estDeliveryAt",
      "trackingUrl",
      "carrierName"
    ]
    for (const [name, fields] of [
      ["Contact", ["address2"]],
      ["Profile", ["address2"]],
      ["Order", texts],
      // A person that is null, not a text.
      ["CaseCalendarEvent", ["organizer"]],
      ["ListedAppointment", []],
      ["MeetingDetails", ["host"]],
      ["CasePayment", ["description"]]
    ] as const) {
      assert.sameMembers([...nullable(name)], [...fields], name)
    }
  })

  it("says at the fields of an address what a state, a country, a postal code and a street may be", () => {
    const rules = new Set<string>()
    for (const name of ["PlaceOrder", "UpdateProfile", "PaymentSetup"]) {
      walk(publicDocument.components?.schemas?.[name], ({ properties = {} }) => {
        const members: Readonly<Record<string, unknown>> = Object(properties)
        for (const field of ["state", "country", "postalCode", "postal_code"]) {
          if (field in members) assert.include(JSON.stringify(members[field]), '"description":', `${name} ${field}`)
        }
        rules.add(JSON.stringify(members["address"] ?? ""))
      })
    }
    assert.isTrue([...rules].some((rule) => rule.includes("not a PO box")))
  })

  it("lists the codes that errors have", () => {
    for (const name of ["CodedBody", "CodedInvalidRequestBody", "MessageBody"]) {
      const json = JSON.stringify(publicDocument.components?.schemas?.[name])
      assert.match(json, /"code":\{[^}]*"enum":\["VALIDATION_ERROR",/, name)
    }
  })

  it("forbids additional fields only in escalations", () => {
    for (const document of [publicDocument, adminDocument])
      assert.include(JSON.stringify(document), '"additionalProperties":false')
    const closed: Array<unknown> = []
    eachRequest((schema) => {
      assert.notStrictEqual(schema["additionalProperties"], false, JSON.stringify(schema))
      if (schema["unevaluatedProperties"] === false) closed.push(Object.keys(Object(schema["properties"])))
    })
    // Those of partners, and those of the staff.
    const fields = ["type", "title", "note", "followUpDueAt", "assignedToEmail"]
    assert.deepStrictEqual(closed, [fields, fields])
  })
})
