import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { type PublicRoute, sharedPaths } from "../routing/routes.ts"
import { endpointsOf } from "../testing/endpointsOf.ts"
import { foldActions } from "./foldActions.ts"
import { simplifySchemas } from "./simplifySchemas.ts"

const path = "/api/v1/cases/:caseId"
const params = { caseId: Schema.String }
const Done = Schema.Struct({ done: Schema.Boolean })
const Close = Schema.Struct({ action: Schema.Literal("CLOSE"), reason: Schema.String })
const Open = Schema.Struct({ action: Schema.Literal("OPEN"), at: Schema.String })

const apiWith = (close: typeof Close) =>
  HttpApi.make("made-up").add(
    HttpApiGroup.make("actions").add(
      HttpApiEndpoint.post("CLOSE", `${path}/CLOSE`, {
        params,
        payload: close,
        success: [Done, Schema.Struct({ closed: Schema.Boolean })]
      }),
      HttpApiEndpoint.post("OPEN", `${path}/OPEN`, {
        params,
        payload: Open.annotate({ identifier: "OpenCase" }),
        success: [Done, Schema.Struct({ opened: Schema.Boolean })]
      })
    )
  )

const foldedWith = (close: typeof Close) => {
  const api = apiWith(close)
  const endpointOf = endpointsOf(api)
  const route = (action: string): readonly [string, PublicRoute] => [
    action,
    {
      owner: "cases",
      caller: "partner",
      group: { identifier: "actions" },
      endpoint: endpointOf(action),
      permission: undefined,
      scope: undefined,
      action,
      rateLimits: [],
      addsTo: [],
      hasKeyInBody: false,
      takesFiles: false,
      hasEntityTag: false,
      isCallback: false,
      maxBodyBytes: 1024
    }
  ]
  const shared = sharedPaths.filter(({ endpoint }) => endpoint.path === path)
  const actions = new Map([route("CLOSE"), route("OPEN")])
  return foldActions(
    JSON.parse(JSON.stringify(OpenApi.fromApi(api))),
    shared.map((sharedPath) => ({ ...sharedPath, actions }))
  )
}

describe("foldActions", () => {
  it("makes one operation of the public path, with a discriminator on the action", () => {
    const folded = simplifySchemas(foldedWith(Close.annotate({ identifier: "CloseCase" })))
    assert.deepStrictEqual(Object.keys(folded.paths), ["/api/v1/cases/{caseId}"])
    const operation = folded.paths["/api/v1/cases/{caseId}"]?.["post"]
    assert.deepStrictEqual(operation?.requestBody?.content["application/json"]?.schema, {
      oneOf: [{ $ref: "#/components/schemas/CloseCase" }, { $ref: "#/components/schemas/OpenCase" }],
      discriminator: {
        propertyName: "action",
        mapping: { CLOSE: "#/components/schemas/CloseCase", OPEN: "#/components/schemas/OpenCase" }
      }
    })
    assert.include(JSON.stringify(operation?.responses?.["400"]), "InvalidRequestBody")
    const success = JSON.stringify(operation?.responses?.["200"])
    for (const text of ["anyOf", "closed", "opened"]) assert.include(success, text)
    assert.strictEqual(success.split('"done"').length, 3, "the answer that both give is there once")
  })

  it("needs the name of every action's body", () => {
    assert.throws(() => foldedWith(Close), /CLOSE needs an identifier/)
  })
})
