import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { pathUnknown } from "../answers.ts"
import { GatewaySettings } from "../GatewaySettings.ts"
import { publicFile } from "../publicFile.ts"
import { layerDemo } from "./layerDemo.ts"
import { layerSite } from "./layerSite.ts"

type Path = `/${string}`

// Returns a document as the build wrote it, or else makes it, which keeps the process busy for a second. Its modules are imported then,
// because they would keep the heap of a starting process large.
const textOf = Effect.fnUntraced(function* (name: "publicDocument" | "adminDocument", path: Path) {
  const { docsDirectory } = yield* GatewaySettings
  if (docsDirectory !== undefined) {
    const built = yield* Effect.option(Effect.tryPromise(() => readFile(join(docsDirectory, path))))
    if (Option.isSome(built)) return built.value
  }
  const documents = yield* Effect.promise(() => import("./publicDocument.ts"))
  return JSON.stringify(documents[name])
})

const routesOf = (name: Parameters<typeof textOf>[0], path: Path, ...others: ReadonlyArray<Path>) => {
  const file = Effect.flatMap(textOf(name, path), (text) => publicFile(text, "application/json"))
  return Layer.unwrap(
    Effect.map(Effect.cached(file), (once) =>
      Layer.mergeAll(Layer.empty, ...[path, ...others].map((each) => HttpRouter.add("GET", each, Effect.flatten(once))))
    )
  )
}

// The router takes the target `*` for the root.
const home = HttpRouter.add(
  "GET",
  "/",
  Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) =>
    url.startsWith("/") ? HttpServerResponse.redirect("/docs") : pathUnknown(url)
  )
)

/**
 * What describes the APIs, without a key: `GET /openapi.json`, which is also `/openapi/partner.json`, `GET /openapi/admin.json`, as the
 * build wrote them, or else made at the first request, and the site at `/docs`, to which `GET /` leads.
 */
export const layerDocs = Layer.mergeAll(
  home,
  routesOf("publicDocument", "/openapi/partner.json", "/openapi.json"),
  routesOf("adminDocument", "/openapi/admin.json"),
  layerSite,
  layerDemo
)
