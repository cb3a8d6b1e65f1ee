import { endpoints } from "@care/domain/endpoints"
import { callers, DocumentedErrors, publicCallers, RateLimit, RateLimited, rateLimits } from "@care/domain/http"
import { peers } from "@care/domain/peers"
import { answerError } from "@care/service-kit"
import { assert, describe, it } from "@effect/vitest"
import { Context, Record } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { plainRoutes, sharedPaths } from "../routing/routes.ts"
import { scopesAt } from "./describeScope.ts"
import { adminApi, partnerApi } from "./publicApi.ts"
import { adminDocument, publicDocument } from "./publicDocument.ts"

describe("the documents", () => {
  const documents = [publicDocument, adminDocument]
  const operations = documents.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation }))
    )
  )
  const tags = documents.flatMap(({ tags = [] }) => tags)

  it("are OpenAPI 3.1, and every reference leads somewhere", () => {
    for (const document of documents) {
      const text = JSON.stringify(document)
      assert.match(text, /^\{"openapi":"3\.1/)
      for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
        assert.property(document.components?.schemas ?? {}, name)
      }
      assert.notMatch(text, /"[A-Za-z]+(Encoded|_\d+)"/)
    }
    assert.include(JSON.stringify(publicDocument), '"#/components/schemas/CreateCase"')
  })

  it("are apart: partners read nothing of the admin API, and of its credentials", () => {
    const text = JSON.stringify(publicDocument)
    for (const word of ["/admin/", "ADMIN_TOKEN", "staffSession", "May call", "/webhooks/"])
      assert.notInclude(text, word)
    assert.sameMembers(Object.keys(publicDocument.components?.securitySchemes ?? {}), ["apiKey", "accessToken"])
    assert.sameMembers(Object.keys(adminDocument.components?.securitySchemes ?? {}), ["adminToken", "staffSession"])
    assert.isTrue(Object.keys(publicDocument.paths).every((path) => path.startsWith("/api/v1/")))
    assert.isTrue(Object.keys(adminDocument.paths).every((path) => /^\/(admin\/v1|webhooks)\//.test(path)))
    assert.notInclude(JSON.stringify(adminDocument), "cv-api-key")
  })

  it("have nothing internal, and a credential, a tag and a request id on every operation", () => {
    assert.isAbove(operations.length, 10)
    for (const document of documents) assert.notInclude(JSON.stringify(document), "/internal/")
    const groups = tags.map(({ name }) => name)
    for (const { method, operation, path } of operations) {
      const scheme = path.startsWith("/admin/") ? "adminToken" : "apiKey"
      const patient = path === "/api/v1/users/me" ? { accessToken: [] } : {}
      const isSigned = [
        "/api/v1/documents/{documentId}",
        "/webhooks/pharmacy",
        "/webhooks/stripe",
        "/webhooks/scheduling"
      ].includes(path)
      // Auth checks the session.
      const isOfSession = /^\/admin\/v1\/sessions?(\/|$)/.test(path)
      const inBody = path === "/api/v1/customer-dynamic-case-form" ? [{}] : []
      const staff = path.startsWith("/admin/") ? [{ staffSession: [] }] : []
      const scopes = scopesAt(method, path)
      if (scheme === "apiKey" && !isSigned)
        assert.include(operation.description, `The key needs the scope \`${scopes[0]}\``)
      const needed = isSigned || isOfSession ? [] : [{ [scheme]: scopes, ...patient }, ...staff, ...inBody]
      assert.deepStrictEqual(operation.security, needed)
      if (path.startsWith("/admin/") && !isOfSession)
        assert.match(operation.description ?? "", /May call: .*OPERATOR\./, path)
      assert.includeMembers(groups, [...(operation.tags ?? [])])
      assert.lengthOf(operation.tags ?? [], 1, path)
      for (const response of Object.values(operation.responses ?? {})) {
        assert.property(response.headers ?? {}, "x-request-id")
      }
    }
    assert.strictEqual(new Set(groups).size, groups.length)
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.strictEqual(new Set(ids).size, ids.length)
  })

  it("link to absolute URLs alone, because the page is not among the files of the guides", () => {
    const { description = "" } = publicDocument.info ?? {}
    const links = Array.from(description.matchAll(/\]\(([^)]*)\)/g), ([, url]) => url)
    assert.isNotEmpty(links)
    for (const url of links) assert.match(url ?? "", /^https:/)
  })

  it("describe every group, operation and answer", () => {
    for (const { name, description } of tags) assert.isNotEmpty(description, name)
    for (const { operation } of operations) {
      const { description, operationId, summary } = operation
      assert.isNotEmpty(summary, operationId)
      assert.notStrictEqual(description, `${summary}.`, operationId)
      for (const [status, answer] of Object.entries(operation.responses ?? {})) {
        assert.isNotEmpty(answer.description.replace("<No Content>", ""), operationId)
        if (status >= "400") assert.notMatch(answer.description, /(^|\| )[A-Z][a-z]+[A-Z]\w+( \||$)/, operationId)
      }
    }
  })

  it("give each schema one name, without generated suffixes", () => {
    assert.containsAllKeys(publicDocument.components?.schemas ?? {}, [
      "CreateCase",
      "InvalidRequestBody",
      "UpdateProfile"
    ])
    assert.containsAllKeys(adminDocument.components?.schemas ?? {}, ["ProblemBody"])
    for (const { components: { schemas = {} } = {} } of documents) {
      for (const name of Object.keys(schemas)) assert.match(name, /^[A-Z][A-Za-z]+$/)
      const forms = Object.values(schemas).map((schema) => JSON.stringify(schema))
      assert.strictEqual(new Set(forms).size, forms.length)
    }
    JSON.parse(JSON.stringify(documents), (key, value) => {
      if (key === "enum" && Array.isArray(value)) assert.isAbove(value.length, 1, "a constant")
      if ((key !== "anyOf" && key !== "oneOf") || !Array.isArray(value)) return value
      assert.strictEqual(new Set(value.map((schema) => JSON.stringify(schema))).size, value.length)
      assert.isAbove(value.length, 1)
      return value
    })
  })

  it("have only finite numbers, and parameters that are present or absent", () => {
    const text = JSON.stringify(documents)
    assert.match(text, /"maximum":\d/)
    assert.notMatch(text, /Infinity|NaN/)
    const parameters = JSON.stringify(operations.flatMap(({ operation }) => operation.parameters ?? []))
    assert.include(parameters, '"includeAttachments"')
    assert.notInclude(parameters, '"null"')
  })

  it("document every status of the endpoints", () => {
    const statuses = (path: string, method: string) =>
      Object.keys(
        operations.find((operation) => operation.path === path && operation.method === method)?.operation.responses ??
          {}
      )
    assert.deepStrictEqual(statuses("/api/v1/cases", "post"), [
      "200",
      "400",
      "401",
      "403",
      "408",
      "409",
      "413",
      "422",
      "429",
      "500",
      "503"
    ])
    assert.deepStrictEqual(statuses("/api/v1/customer-case-detail", "get"), [
      "200",
      "400",
      "401",
      "403",
      "404",
      "429",
      "500",
      "503"
    ])
    assert.deepStrictEqual(statuses("/api/v1/customer-latest-case-id", "get"), [
      "200",
      "400",
      "403",
      "429",
      "500",
      "503"
    ])
  })

  it("document that each list of a case shows the newest entries, and how many", () => {
    const schemas = { ...adminDocument.components?.schemas, ...publicDocument.components?.schemas }
    const listsOf = (name: string) => {
      const { properties }: { properties: Readonly<Record<string, Readonly<Record<string, unknown>>>> } = JSON.parse(
        JSON.stringify(schemas[name])
      )
      return Object.entries(properties).filter(([list, schema]) => schema["type"] === "array" && list !== "products")
    }
    assert.lengthOf(listsOf("CaseDetail"), 6)
    assert.lengthOf(listsOf("AdminCase"), 8)
    for (const [list, schema] of [...listsOf("CaseDetail"), ...listsOf("AdminCase")]) {
      assert.deepInclude(schema, { maxItems: 1000, description: "The newest 1000, oldest first." }, list)
    }
    const { description } = publicDocument.paths["/api/v1/customer-case-detail"]?.["get"] ?? {}
    assert.include(description, "the newest 1000 entries")
  })

  it("document the gateway's own answers on every operation, with the size of body that the operation accepts", () => {
    const sizes = new Set<string>()
    for (const { operation, path } of operations) {
      const { "408": tooSlow, "413": tooLarge, "429": tooMany } = operation.responses ?? {}
      const isAdmin = path.startsWith("/admin/")
      const [json, fields] = isAdmin
        ? ["application/problem+json", ["type", "title", "status", "detail"]]
        : ["application/json", ["status", "success", "error", "message", "retryAfter"]]
      const form = JSON.stringify(tooMany?.content?.[json]).replace(
        /^.*"#\/components\/schemas\/(\w+)".*$/,
        (_, name) => JSON.stringify((isAdmin ? adminDocument : publicDocument).components?.schemas?.[name])
      )
      for (const field of fields) assert.include(form, `"${field}"`)
      for (const { content } of [tooSlow, tooLarge].filter((answer) => answer !== undefined)) {
        assert.deepStrictEqual(Object.keys(content ?? {}), [json])
      }
      const hasBody = operation.requestBody !== undefined
      assert.deepStrictEqual([tooSlow !== undefined, tooLarge !== undefined], [hasBody, hasBody], path)
      if (tooLarge !== undefined) sizes.add(`${tooLarge.description}: ${path}`)
    }
    const larger = [...sizes].filter((text) => text.includes("20 MiB")).map((text) => text.split(": ")[1])
    assert.sameMembers(larger, [
      "/api/v1/dynamic-case",
      "/api/v1/customer-dynamic-case-form",
      "/admin/v1/cases/{caseId}/comments",
      "/admin/v1/cases/{caseId}/attachments"
    ])
    assert.isTrue([...sizes].every((text) => /^The body is larger than (1|20) MiB/.test(text)))
  })

  it("document the headers of the limit on every answer that it governs, and when to try again on every 429", () => {
    const governed = operations.filter(({ operation }) => operation.responses?.["429"]?.headers?.["ratelimit"])
    const names = new Set(governed.map(({ method, path }) => `${method} ${path}`))
    assert.includeMembers([...names], ["get /api/v1/calendar/appointments"])
    const signIns = [
      "",
      "/code",
      "/device",
      "/device/approve",
      "/device/token",
      "/mailbox",
      "/oidc/start",
      "/passkeys/assert",
      "/passkeys/assertion",
      "/recovery"
    ].map((path) => `/admin/v1/session${path}`)
    const ofStaff = ["/test", "/replay-missing", "/deliveries/{deliveryId}/replay"].map(
      (path) => `/admin/v1/webhook-endpoints/{endpointId}${path}`
    )
    for (const { method, path } of operations) {
      assert.strictEqual(
        names.has(`${method} ${path}`) || method === "get",
        method === "get" || path.startsWith("/api/") || (method === "post" && [...signIns, ...ofStaff].includes(path)),
        path
      )
    }
    for (const { operation } of governed) {
      for (const { headers = {} } of Object.values(operation.responses ?? {})) {
        assert.containsAllKeys(headers, ["ratelimit", "ratelimit-policy"])
      }
    }
    assert.isBelow(governed.length, operations.length)
    for (const { operation } of operations) assert.property(operation.responses?.["429"]?.headers ?? {}, "retry-after")
  })

  it("document the challenge of every 401, and the tag of every read that has one", () => {
    for (const { method, operation, path } of operations) {
      const { "200": found, "304": notModified, "401": refused } = operation.responses ?? {}
      if (refused !== undefined) {
        const schemes = path.startsWith("/admin/") ? ["Bearer"] : ["ApiKey", "Signature"]
        const challenge = JSON.stringify(refused.headers?.["www-authenticate"])
        assert.isTrue(
          schemes.some((scheme) => challenge.includes(`"example":"${scheme} realm=`)),
          path
        )
      }
      const isTagged =
        method === "get" &&
        /^\/(api\/v1\/(products$|organization\/bundles)|admin\/v1\/(dashboard$|promo-codes$|organizations\/{organizationId}\/(products|forms|bundles)))/.test(
          path
        )
      assert.strictEqual(found?.headers?.["etag"] !== undefined, isTagged, path)
      if (isTagged) {
        assert.property(notModified?.headers ?? {}, "etag")
        assert.isTrue(operation.parameters?.some((parameter) => JSON.stringify(parameter).includes("if-none-match")))
      }
    }
  })

  it("document that no cache keeps any answer", () => {
    for (const { operation } of operations) {
      for (const { headers } of Object.values(operation.responses ?? {}))
        assert.property(headers ?? {}, "cache-control")
    }
  })
})

describe("contracts", () => {
  it("every endpoint of every service is for one kind of callers, and writes documented errors", () => {
    assert.sameMembers([...new Set(endpoints.map(({ owner }) => owner))], [...Record.keys(peers), "gateway"])
    for (const { endpoint } of endpoints) {
      const keys = Array.from(endpoint.middlewares, ({ key }) => key)
      assert.include(keys, DocumentedErrors.key, endpoint.path)
      assert.lengthOf(
        Object.values(callers).filter(({ Access }) => keys.includes(Access.key)),
        1,
        endpoint.path
      )
    }
  })

  it("every limit is one that the environment can change, every write has one, and all are answered in one form", () => {
    const governed = endpoints.filter(({ annotations }) => Context.get(annotations, RateLimit) !== undefined)
    assert.isNotEmpty(governed)
    for (const { annotations, endpoint } of governed) {
      assert.include<unknown>(Object.values(rateLimits), Context.get(annotations, RateLimit), endpoint.path)
    }
    const routes = [...plainRoutes, ...sharedPaths.flatMap(({ actions }) => [...actions.values()])]
    for (const { caller, endpoint, rateLimits: rules } of routes) {
      const isWrite = caller === "partner" && endpoint.method !== "GET"
      assert.strictEqual(rules.includes(rateLimits.writes), isWrite, endpoint.path)
    }
    for (const { endpoint } of routes) {
      const { status } = answerError(endpoint, new RateLimited({ limit: 1, retryAfter: 60 }))
      assert.strictEqual(status, 429, endpoint.path)
    }
  })

  it("contains exactly the operations for callers from outside", () => {
    const isPublic = ({ caller = "service" }: (typeof endpoints)[number]) => caller in publicCallers
    const shown = new Set<string>()
    const visitor = {
      onGroup: () => {},
      onEndpoint: ({ endpoint }: { readonly endpoint: HttpApiEndpoint.Top }) => shown.add(endpoint.path)
    }
    for (const api of [partnerApi, adminApi]) HttpApi.reflect(api, visitor)
    for (const served of endpoints) {
      const { endpoint, group } = served
      assert.strictEqual(shown.has(endpoint.path), isPublic(served), `${group.identifier} ${endpoint.path}`)
    }
  })
})
