import { Context, Effect, Layer } from "effect"
import type { HttpRouter } from "effect/http"
import { serve } from "../http/serve.ts"
import { Listening, type MakeServer } from "../http/serveApp.ts"
import { layerTestConfig } from "./layerTestConfig.ts"

/** Serves routes as a process does, until the scope closes. Returns the URL. */
export const serveRoutes = <E>(
  routes: Layer.Layer<never, E, HttpRouter.HttpRouter>,
  { makeServer, port = 0 }: { readonly makeServer?: MakeServer; readonly port?: number } = {}
) =>
  serve(routes, { accessLog: "none", ...(makeServer !== undefined && { makeServer }) }).pipe(
    Layer.provide(layerTestConfig({ port })),
    Layer.build,
    Effect.map((context) => Context.get(context, Listening).url)
  )
