import { createHash } from "node:crypto"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { publicFile } from "../publicFile.ts"
import { partnerApi } from "./publicApi.ts"

const hashesOf = (html: string, element: "script" | "style"): string =>
  Array.from(
    html.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, "g")),
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
  ).join(" ")

/**
 * Returns the policy of a page with inline scripts and styles: it may run those, show its images, and call its own server. It can
 * embed nothing else, and no page can embed it.
 */
const contentSecurityPolicy = (html: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashesOf(html, "script")}`,
    `style-src-elem ${hashesOf(html, "style")}`,
    // The page's script sets `style` attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

const path = "/docs"

// The library serves the page as a route, which needs more memory than the gateway itself. So the route runs once, at the first
// request, and the gateway serves the result, with a policy for the page's own scripts and styles.
const page = Effect.acquireUseRelease(
  Effect.promise(async () => {
    const { layer } = await import("effect/http-api/HttpApiSwagger")
    return HttpRouter.toWebHandler(layer(partnerApi, { path }), { disableLogger: true })
  }),
  ({ handler }) =>
    Effect.flatMap(
      Effect.promise(async () => (await handler(new Request(`http://localhost${path}`))).text()),
      (html) => publicFile(html, "text/html; charset=utf-8", { "content-security-policy": contentSecurityPolicy(html) })
    ),
  ({ dispose }) => Effect.promise(dispose)
)

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

/**
 * `GET /openapi.json`, which is also `/openapi/partner.json`, `GET /openapi/admin.json` and `GET /docs`, without a key. Each is made at
 * the first request. The page has its script and style inline, so that it works without a network.
 */
export const layerDocs = Layer.mergeAll(
  routesOf(documentOf("publicDocument"), "/openapi.json", "/openapi/partner.json"),
  routesOf(documentOf("adminDocument"), "/openapi/admin.json"),
  routesOf(page, path)
)
