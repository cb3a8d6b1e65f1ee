import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import { type AccessLog, layerBoundary } from "./layerBoundary.ts"
import { layerServer } from "./layerServer.ts"

/** Serves routes as one process: the boundary around them, the server under them. */
export const serve = <E, R>(routes: Layer.Layer<never, E, R>, options: { readonly accessLog: AccessLog }) =>
  HttpRouter.serve(Layer.merge(routes, layerBoundary(options)), { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(layerServer)
  )
