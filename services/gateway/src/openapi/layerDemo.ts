import { readFile } from "node:fs/promises"
import { BlockList } from "node:net"
import { ServiceConfig } from "@care/service-kit"
import { Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { pathUnknown } from "../answers.ts"
import { ownSite } from "../builtFile.ts"
import { GatewaySettings } from "../GatewaySettings.ts"

const path = "/docs/demo.json"

const Demo = Schema.fromJsonString(
  Schema.Struct({
    apiKey: Schema.String,
    testApiKey: Schema.String,
    productIds: Schema.Array(Schema.String),
    testProductIds: Schema.Array(Schema.String)
  })
)

const ofThisMachine = new BlockList()
ofThisMachine.addSubnet("127.0.0.0", 8, "ipv4")
ofThisMachine.addSubnet("::ffff:127.0.0.0", 104, "ipv6")
ofThisMachine.addAddress("::1", "ipv6")

const isOfThisMachine = (address: string) => ofThisMachine.check(address, address.includes(":") ? "ipv6" : "ipv4")

// A page of another site can reach this machine by a name of its own. That name is in `Host`.
const isLocalName = (host: string | undefined) => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host ?? "")

// A proxy on this machine passes on requests of others.
const isDirect = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  headers["x-forwarded-for"] === undefined && headers["forwarded"] === undefined

/**
 * `GET /docs/demo.json`: the demo keys that `start` made, for the code in the documentation. Only a development suite has one, and only readers
 * on the same machine get it, who can read the file itself.
 */
export const layerDemo = Layer.unwrap(
  Effect.gen(function* () {
    const { demoFile } = yield* GatewaySettings
    const { isProduction } = yield* ServiceConfig
    if (demoFile === undefined || isProduction) return HttpRouter.add("GET", path, pathUnknown(path))
    const answer = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const isNear = Option.exists(request.remoteAddress, isOfThisMachine)
      if (!isNear || !isDirect(request) || !isLocalName(request.headers["host"])) return pathUnknown(path)
      const { apiKey, productIds, testApiKey, testProductIds } = yield* Effect.flatMap(
        Effect.tryPromise(() => readFile(demoFile, "utf8")),
        Schema.decodeEffect(Demo)
      )
      return HttpServerResponse.jsonUnsafe(
        { apiKey, productId: productIds[0] ?? "", testApiKey, testProductId: testProductIds[0] ?? "" },
        { headers: { ...ownSite, "cache-control": "no-store" } }
      )
    })
    return HttpRouter.add(
      "GET",
      path,
      Effect.orElseSucceed(answer, () => pathUnknown(path))
    )
  })
)
