import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodeHttpPlatform from "@effect/platform-node/NodeHttpPlatform"
import * as NodePath from "@effect/platform-node/NodePath"
import { ByteSize, Effect, Layer } from "effect"
import { Etag, HttpIncomingMessage, HttpMiddleware, HttpRouter } from "effect/http"
import { type AccessLog, layerBoundary, type Unrouted } from "./layerBoundary.ts"
import { Listening, type MakeServer, makeServiceServer, serveApp } from "./serveApp.ts"

interface ServeOptions {
  readonly accessLog: AccessLog
  /** The default answers 404. */
  readonly unrouted?: Unrouted
  readonly makeServer?: MakeServer
}

// Above the gateway's limit, which is the one that callers reach.
const maxBodySize = ByteSize.mebibytes(24)

/** Matches paths as they are written, except for a slash at the end, so that a proxy that protects `/admin/` protects all of it. */
export const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  maxParamLength: Number.POSITIVE_INFINITY
}

/** Serves routes when everything behind them is built. The library's span of requests is off, because queries may name a patient. */
export const serve = <E, R>(
  routes: Layer.Layer<never, E, R>,
  { accessLog, makeServer = makeServiceServer, unrouted = () => undefined }: ServeOptions
) =>
  Layer.effect(
    Listening,
    // The middleware that is added first is the outermost.
    Effect.flatMap(HttpRouter.toHttpEffect(Layer.merge(layerBoundary({ accessLog, unrouted }), routes)), (app) =>
      serveApp(app, makeServer)
    )
  ).pipe(
    Layer.provide(
      Layer.mergeAll(
        // Not `NodeHttpServer.layerHttpServices`, which also listens to the terminal: once for each server of a process.
        NodeHttpPlatform.layer,
        Etag.layerWeak,
        NodeFileSystem.layer,
        NodePath.layer,
        Layer.succeed(HttpRouter.RouterConfig, routerConfig),
        Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true),
        Layer.succeed(HttpIncomingMessage.MaxBodySize, maxBodySize)
      )
    )
  )
