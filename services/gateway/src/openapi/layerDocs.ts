import { Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiSwagger } from "effect/http-api"
import { publicApi } from "./publicApi.ts"
import { publicDocument } from "./publicDocument.ts"

/**
 * `GET /openapi.json` and `GET /docs`, made once, without a key. The page carries its script and style in itself, so it
 * works without a network.
 */
export const layerDocs = Layer.merge(
  HttpRouter.add("GET", "/openapi.json", HttpServerResponse.jsonUnsafe(publicDocument)),
  HttpApiSwagger.layer(publicApi, { path: "/docs" })
)
