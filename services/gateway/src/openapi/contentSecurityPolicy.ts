import { createHash } from "node:crypto"

const hashesOf = (html: string, element: "script" | "style"): string =>
  Array.from(
    html.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, "g")),
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
  ).join(" ")

/**
 * What a page that carries its scripts and styles in itself may do: run those, show what is in it, and call the server it
 * came from. Nothing may be put into it, and it into nothing.
 */
export const contentSecurityPolicy = (html: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashesOf(html, "script")}`,
    `style-src-elem ${hashesOf(html, "style")}`,
    // The page sets styles of single elements while it runs.
    "style-src-attr 'unsafe-inline'",
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
