import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { pathUnknown } from "../answers.ts"
import { publicFile } from "../publicFile.ts"
import { layerDemo } from "./layerDemo.ts"
import { layerSite } from "./layerSite.ts"

// Imported at the first request, because its modules would keep the heap of a starting process large.
const documentOf = (name: "publicDocument" | "adminDocument") =>
  Effect.flatMap(
    Effect.promise(() => import("./publicDocument.ts")),
    (documents) => publicFile(JSON.stringify(documents[name]), "application/json")
  )

const routesOf = (file: ReturnType<typeof documentOf>, ...paths: ReadonlyArray<`/${string}`>) =>
  Layer.unwrap(
    Effect.map(Effect.cached(file), (once) =>
      Layer.mergeAll(Layer.empty, ...paths.map((each) => HttpRouter.add("GET", each, Effect.flatten(once))))
    )
  )

// The router takes the target `*` for the root.
const home = HttpRouter.add(
  "GET",
  "/",
  Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) =>
    url.startsWith("/") ? HttpServerResponse.redirect("/docs") : pathUnknown(url)
  )
)

/**
 * What describes the APIs, without a key: `GET /openapi.json`, which is also `/openapi/partner.json`, `GET /openapi/admin.json`, each made at
 * the first request, and the site at `/docs`, to which `GET /` leads.
 */
export const layerDocs = Layer.mergeAll(
  home,
  routesOf(documentOf("publicDocument"), "/openapi.json", "/openapi/partner.json"),
  routesOf(documentOf("adminDocument"), "/openapi/admin.json"),
  layerSite,
  layerDemo
)
