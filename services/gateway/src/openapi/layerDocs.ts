import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { contentSecurityPolicy } from "./contentSecurityPolicy.ts"
import { publicApi } from "./publicApi.ts"
import { publicFile } from "./publicFile.ts"

const path = "/docs"

// The library writes the page as a route: it is asked once, when somebody wants to see it, because it takes more memory than
// the gateway's work, and served with a policy that fits what is in it.
const page = Effect.acquireUseRelease(
  Effect.promise(async () => {
    const { layer } = await import("effect/http-api/HttpApiSwagger")
    return HttpRouter.toWebHandler(layer(publicApi, { path }), { disableLogger: true })
  }),
  ({ handler }) =>
    Effect.flatMap(
      Effect.promise(async () => (await handler(new Request(`http://localhost${path}`))).text()),
      (html) => publicFile(html, "text/html; charset=utf-8", { "content-security-policy": contentSecurityPolicy(html) })
    ),
  ({ dispose }) => Effect.promise(dispose)
)

// The same, and what it is made of is garbage that a process which starts would keep room for.
const document = Effect.flatMap(
  Effect.promise(() => import("./publicDocument.ts")),
  ({ publicDocument }) => publicFile(JSON.stringify(publicDocument), "application/json")
)

const madeOnce = (path: `/${string}`, file: typeof document) =>
  Layer.unwrap(Effect.map(Effect.cached(file), (once) => HttpRouter.add("GET", path, Effect.flatten(once))))

/**
 * `GET /openapi.json` and `GET /docs`, each made once, when it is asked for, without a key. The page carries its script and style
 * in itself, so it works without a network.
 */
export const layerDocs = Layer.merge(madeOnce("/openapi.json", document), madeOnce(path, page))
