import {
  Access,
  Action,
  CreateCase,
  DocumentedErrors,
  LinkAccess,
  OperatorAccess,
  Owner,
  PartnerAccess
} from "@care/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import type { Route } from "../routing/routes.ts"
import { foldActions } from "./foldActions.ts"
import type { Document } from "./openApiDocument.ts"
import { publicApi } from "./publicApi.ts"

describe("foldActions", () => {
  const group = HttpApiGroup.make("actions")
    .add(
      HttpApiEndpoint.post("close", "/api/v1/cases/:caseId/CLOSE", {
        params: { caseId: Schema.String },
        payload: Schema.Struct({ reason: Schema.String }),
        success: Schema.Struct({ closed: Schema.Boolean })
      }).annotate(Action, "CLOSE"),
      HttpApiEndpoint.post("open", "/api/v1/cases/:caseId/OPEN", {
        params: { caseId: Schema.String },
        payload: Schema.Struct({ at: Schema.String }),
        success: Schema.Struct({ opened: Schema.Boolean })
      }).annotate(Action, "OPEN")
    )
    .annotate(Access, "partner")
  const api = HttpApi.make("made-up").add(group).annotate(Owner, "cases")
  const endpoints = new Map<string, HttpApiEndpoint.Top>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => endpoints.set(endpoint.identifier, endpoint)
  })
  const route = (identifier: string, action: string): Route => {
    const endpoint = endpoints.get(identifier)
    if (endpoint === undefined) throw new Error(identifier)
    return { owner: "cases", access: "partner", endpoint, action, rateLimit: undefined, hasKeyInBody: false }
  }
  const shared: Array<HttpApiEndpoint.Top> = []
  HttpApi.reflect(
    HttpApi.make("gateway").add(
      HttpApiGroup.make("shared").add(HttpApiEndpoint.post("caseActions", "/api/v1/cases/:caseId"))
    ),
    { onGroup: () => {}, onEndpoint: ({ endpoint }) => shared.push(endpoint) }
  )

  it("makes one operation of the public path, with a discriminator on the action", () => {
    const [endpoint] = shared
    if (endpoint === undefined) throw new Error("no endpoint")
    const actions = new Map([
      ["CLOSE", route("close", "CLOSE")],
      ["OPEN", route("open", "OPEN")]
    ])
    const folded = foldActions(JSON.parse(JSON.stringify(OpenApi.fromApi(api))), [{ endpoint, actions }])
    assert.deepStrictEqual(Object.keys(folded.paths), ["/api/v1/cases/{caseId}"])
    const operation = folded.paths["/api/v1/cases/{caseId}"]?.["post"]
    const body = JSON.stringify(operation?.requestBody)
    assert.include(body, '"discriminator":{"propertyName":"action"}')
    for (const text of ['"const":"CLOSE"', '"const":"OPEN"', '"reason"', '"at"']) assert.include(body, text)
    assert.include(JSON.stringify(operation?.responses?.["400"]), "Invalid action")
    const success = JSON.stringify(operation?.responses?.["200"])
    for (const text of ["oneOf", "closed", "opened"]) assert.include(success, text)
  })
})

describe("publicApi", () => {
  const text = JSON.stringify(OpenApi.fromApi(publicApi))
  const document: Document & { readonly openapi: string } = JSON.parse(text)
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation }))
  )

  it("is OpenAPI 3.1, and every reference leads somewhere", () => {
    assert.match(document.openapi, /^3\.1/)
    for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      assert.property(document.components?.schemas ?? {}, name)
    }
    assert.notMatch(text, /Encoded/)
  })

  it("has nothing internal, and a credential, a tag and a request id on every operation", () => {
    assert.notInclude(text, "/internal/")
    assert.isAbove(operations.length, 10)
    for (const { operation, path } of operations) {
      const scheme = path.startsWith("/admin/") ? "adminToken" : "apiKey"
      const patient = path === "/api/v1/users/me" ? { accessToken: [] } : {}
      const needed = path === "/api/v1/documents/{documentId}" ? [] : [{ [scheme]: [], ...patient }]
      assert.deepStrictEqual(operation.security, needed)
      assert.strictEqual(operation.tags?.length, 1)
      for (const response of Object.values(operation.responses ?? {})) {
        assert.property(response.headers ?? {}, "x-request-id")
      }
    }
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.strictEqual(new Set(ids).size, ids.length)
  })

  it("shows how a case is created by an example", () => {
    const body = document.paths["/api/v1/cases"]?.["post"]?.requestBody?.content["application/json"]
    assert.strictEqual(Schema.decodeUnknownExit(CreateCase)(body?.example)._tag, "Success")
  })

  it("documents every status of the endpoints", () => {
    const statuses = (path: string, method: string) =>
      Object.keys(
        operations.find((operation) => operation.path === path && operation.method === method)?.operation.responses ??
          {}
      )
    assert.deepStrictEqual(statuses("/api/v1/cases", "post"), ["200", "400", "401", "409", "413", "422", "500", "503"])
    assert.deepStrictEqual(statuses("/api/v1/customer-case-detail", "get"), [
      "200",
      "400",
      "401",
      "403",
      "404",
      "500",
      "503"
    ])
    assert.deepStrictEqual(statuses("/api/v1/customer-latest-case-id", "get"), ["200", "400", "500", "503"])
  })
})

describe("contracts", () => {
  it("every public endpoint is behind an identity check and writes documented errors", () => {
    HttpApi.reflect(publicApi, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, middleware }) => {
        const keys = [...middleware].map(({ key }) => key)
        assert.include(keys, DocumentedErrors.key, endpoint.path)
        assert.isTrue(
          [PartnerAccess, OperatorAccess, LinkAccess].some(({ key }) => keys.includes(key)),
          endpoint.path
        )
      }
    })
  })
})
