import { createHash } from "node:crypto"

const hashesOf = (html: string, element: "script" | "style"): string =>
  Array.from(
    html.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, "g")),
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
  ).join(" ")

/**
 * Returns the policy of a page with inline scripts and styles: it may run those, show its images, and call its own
 * server. Nothing else can be embedded in it, and it in nothing.
 */
export const contentSecurityPolicy = (html: string): string =>
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
