import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { errorCodeHeader } from "@care/domain/http"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { pathUnknown } from "../answers.ts"
import { builtFile, type FileAnswer, forever, ownPage, ownSite } from "../builtFile.ts"
import { GatewaySettings } from "../GatewaySettings.ts"

// react-aria adds one style to the page, so that touching a button does not scroll.
const styleOfReactAria = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='"

// The console's scripts and styles are files of its own. It shows images and documents of cases that it fetched itself (`blob:`).
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${styleOfReactAria}`,
  "img-src 'self' blob: data:",
  "frame-src blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'"
].join("; ")

const secured = { ...ownPage, "content-security-policy": contentSecurityPolicy }

const beingBuilt = HttpServerResponse.text(
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="1"><title>Care console</title><p>The console is being built. This page loads again by itself.</p></html>',
  {
    status: 503,
    contentType: "text/html; charset=utf-8",
    headers: { ...secured, "retry-after": "1", "cache-control": "no-store" }
  }
)

const assetUnknown = HttpServerResponse.text("Not found", {
  status: 404,
  headers: { ...ownSite, [errorCodeHeader]: "NOT_FOUND" }
})

// Returns the answers of all files of the built console, each of which is read at its first request.
const readConsole = Effect.fnUntraced(function* (folder: string) {
  const names = yield* Effect.tryPromise(() => readdir(join(folder, "assets")))
  const assets = new Map<string, Effect.Effect<FileAnswer>>()
  for (const name of names) assets.set(name, yield* Effect.cached(builtFile(join(folder, "assets", name), forever)))
  const page = yield* Effect.cached(builtFile(join(folder, "index.html"), secured))
  return { assets, page }
})

// With the path before it.
const paths = "/console/*"

const prefix = "/console/assets/"

/**
 * `GET /console`: the web console of the care team, which `pnpm build` and `start` write into `CONSOLE_DIR`. Its paths are all the same page,
 * which needs no session itself: what it shows comes from the admin API.
 */
export const layerConsole = Layer.unwrap(
  Effect.map(GatewaySettings, ({ consoleDirectory }) => {
    if (consoleDirectory === undefined) return HttpRouter.add("GET", paths, pathUnknown("/console"))
    let built: Effect.Success<ReturnType<typeof readConsole>> | undefined
    const answer = Effect.gen(function* () {
      built ??= yield* Effect.orElseSucceed(readConsole(consoleDirectory), () => undefined)
      if (built === undefined) return beingBuilt
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const [path = ""] = url.split("?", 1)
      if (!path.startsWith(prefix)) return yield* yield* built.page
      const asset = built.assets.get(path.slice(prefix.length))
      return asset === undefined ? assetUnknown : yield* yield* asset
    })
    return HttpRouter.add("GET", paths, answer)
  })
)
