import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PlatformStatus } from "./PlatformStatus.ts"
import { statusPage, statusPolicy } from "./statusPage.ts"

const headers = {
  "cache-control": "public, max-age=5",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

/** `GET /status` and `GET /status.json`: what works now, for anybody. */
export const layerStatus = Layer.unwrap(
  Effect.map(PlatformStatus, ({ now }) =>
    HttpRouter.addAll([
      HttpRouter.route(
        "GET",
        "/status",
        Effect.map(now, (status) =>
          HttpServerResponse.text(statusPage(status), {
            contentType: "text/html; charset=utf-8",
            headers: { ...headers, "content-security-policy": statusPolicy }
          })
        )
      ),
      HttpRouter.route(
        "GET",
        "/status.json",
        Effect.map(now, (status) => HttpServerResponse.jsonUnsafe(status, { headers }))
      )
    ])
  )
).pipe(Layer.provide(PlatformStatus.layer))
