import { readFile } from "node:fs/promises"
import { extname } from "node:path"
import { Effect } from "effect"
import { publicFile } from "./publicFile.ts"

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8"
}

/** Headers of every answer of our own sites. */
export const ownSite = {
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff"
}

/** Headers of pages, beside their policy. Browsers apply them to what the pages load, so that they need not be sent with each file. */
export const ownPage = {
  ...ownSite,
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "referrer-policy": "no-referrer"
}

/** Headers of an asset, whose name has the hash of its content. */
export const forever = { ...ownSite, "cache-control": "public, max-age=31536000, immutable" }

/** The handler of a file. */
export type FileAnswer = Effect.Success<ReturnType<typeof publicFile>>

/** Makes the handler of a built file, which it answers with this status. */
export const builtFile = (
  path: string,
  headers: Readonly<Record<string, string>>,
  status?: number
): Effect.Effect<FileAnswer> =>
  Effect.flatMap(
    Effect.promise(() => readFile(path)),
    (content) => publicFile(content, contentTypes[extname(path)] ?? "application/octet-stream", headers, status)
  )
