import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { errorCodeHeader } from "@care/domain/http"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { pathUnknown } from "../answers.ts"
import { builtFile, type FileAnswer, forever, ownPage, ownSite } from "../builtFile.ts"
import { GatewaySettings } from "../GatewaySettings.ts"

const policyWith = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

// Scripts and styles of the pages are files of their own.
const ofPages = `${policyWith("'self'")}; require-trusted-types-for 'script'`

// Scalar, which shows the reference, adds styles, and sets HTML that it has sanitized.
const ofReference = policyWith("'self' 'unsafe-inline'")

const isReference = (name: string) => /^(operators\/)?reference\.html$/.test(name)

const missingPage = "404.html"

const headersOf = (name: string): Readonly<Record<string, string>> => {
  if (name.startsWith("assets/")) return forever
  if (!name.endsWith(".html")) return ownSite
  return {
    ...ownPage,
    "content-security-policy": isReference(name) ? ofReference : ofPages,
    ...(name === missingPage && { [errorCodeHeader]: "NOT_FOUND" })
  }
}

const beingBuilt = HttpServerResponse.text(
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="1"><title>Partner Care API</title><p>The documentation is being built. This page loads again by itself.</p></html>',
  {
    status: 503,
    contentType: "text/html; charset=utf-8",
    headers: { ...ownPage, "content-security-policy": ofPages, "retry-after": "1", "cache-control": "no-store" }
  }
)

// Returns the answers of all files of the built site, each of which is read at its first request.
const readSite = Effect.fnUntraced(function* (folder: string) {
  const entries = yield* Effect.tryPromise(() => readdir(folder, { recursive: true, withFileTypes: true }))
  const files = new Map<string, Effect.Effect<FileAnswer>>()
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length + 1).replaceAll("\\", "/")
    const status = name === missingPage ? 404 : 200
    files.set(name, yield* Effect.cached(builtFile(path, headersOf(name), status)))
  }
  return files
})

const prefix = "/docs"

/** Returns the name of the file at a path below `/docs`. */
const nameAt = (path: string): string => {
  const name = path.slice(prefix.length).replace(/^\/|\/$/g, "")
  if (name === "") return "index.html"
  return /\.\w+$/.test(name) ? name : `${name}.html`
}

const answerAt = Effect.fnUntraced(function* (files: ReadonlyMap<string, Effect.Effect<FileAnswer>>, path: string) {
  const missing = path.startsWith(`${prefix}/assets/`) ? undefined : files.get(missingPage)
  const file = files.get(nameAt(path)) ?? missing
  return file === undefined ? pathUnknown(path) : yield* yield* file
})

// Language models look for `llms.txt` at the beginning.
const routes = <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Layer.merge(
    HttpRouter.add("GET", "/docs/*", answer),
    HttpRouter.add("GET", "/llms.txt", HttpServerResponse.redirect(`${prefix}/llms.txt`))
  )

/**
 * `GET /docs/...`: the documentation, which `pnpm build` and `start` write into `DOCS_DIR`: its pages, each also as Markdown, the references
 * of the API, and `llms.txt`.
 */
export const layerSite = Layer.unwrap(
  Effect.map(GatewaySettings, ({ docsDirectory }) => {
    if (docsDirectory === undefined) return routes(Effect.succeed(pathUnknown(prefix)))
    let built: Effect.Success<ReturnType<typeof readSite>> | undefined
    const answer = Effect.gen(function* () {
      built ??= yield* Effect.orElseSucceed(readSite(docsDirectory), () => undefined)
      if (built === undefined) return beingBuilt
      const { url } = yield* HttpServerRequest.HttpServerRequest
      return yield* answerAt(built, url.split("?", 1)[0] ?? prefix)
    })
    return routes(answer)
  })
)
