import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ByteSize, Effect, Layer } from "effect"
import { HttpIncomingMessage, HttpMiddleware, HttpRouter } from "effect/http"
import { type AccessLog, layerBoundary, type Unrouted } from "./layerBoundary.ts"
import { Listening, listen, type ServerLimits } from "./listen.ts"

interface ServeOptions {
  readonly accessLog: AccessLog
  /** 404 without it. */
  readonly unrouted?: Unrouted
  /** For a process that anybody can reach. */
  readonly limits?: ServerLimits
}

// Above the gateway's limit, which is the one that callers meet.
const maxBodySize = ByteSize.mebibytes(24)

/**
 * How paths are matched: as they are written, but for a slash at the end, so that whoever guards `/admin/` before the gateway
 * guards all of it. What a path parameter may be is for its endpoint to say; Node bounds the head of a request.
 */
export const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  maxParamLength: Number.POSITIVE_INFINITY
}

/**
 * Serves routes as one process, the boundary around them. The port is opened when everything behind the routes is built:
 * what would be accepted before that, nobody would answer. The library's own span per request is off because it records
 * the query, which may name a patient.
 */
export const serve = <E, R>(
  routes: Layer.Layer<never, E, R>,
  { accessLog, limits, unrouted = () => undefined }: ServeOptions
) =>
  Layer.effect(
    Listening,
    // The middleware that is added first is around all others.
    Effect.flatMap(HttpRouter.toHttpEffect(Layer.merge(layerBoundary({ accessLog, unrouted }), routes)), (app) =>
      listen(app, limits)
    )
  ).pipe(
    Layer.provide(
      Layer.mergeAll(
        NodeHttpServer.layerHttpServices,
        Layer.succeed(HttpRouter.RouterConfig, routerConfig),
        Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true),
        Layer.succeed(HttpIncomingMessage.MaxBodySize, maxBodySize)
      )
    )
  )
