import type { IncomingMessage } from "node:http"
import type { Identity } from "@care/domain"

const organizationOf = ({ url = "" }: IncomingMessage): string =>
  new URLSearchParams(url.slice(url.indexOf("?") + 1)).get("organizationId") ?? ""

/**
 * Whom a request counts for where something is shared out: its organization, or the operators together. A link names the
 * organization whose file it is, which nobody has checked yet: links count apart from the organization's own requests.
 */
export const callerName = (identity: Identity, request: IncomingMessage): string => {
  if (identity._tag === "partner") return identity.organizationId
  return identity._tag === "link" ? `links of ${organizationOf(request)}` : identity._tag
}

/** Whom a request counts for while nobody knows who makes it. */
export const addressName = ({ socket }: IncomingMessage): string => `address ${socket.remoteAddress}`
