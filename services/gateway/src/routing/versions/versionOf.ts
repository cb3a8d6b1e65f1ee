import type { IncomingMessage } from "node:http"
import { RequestInvalid } from "@care/domain/http"
import { type ApiVersion, currentVersion, isApiVersion, versionHeader, versionNames } from "@care/domain/versions"

/** Who sends requests in a version. */
export interface VersionedCaller {
  /** The version of a partner's requests that name none. */
  readonly apiVersion?: ApiVersion
}

/** Returns the version that applies to a request: the one that it names, or else its caller's. */
export const versionOf = ({ headers }: IncomingMessage, { apiVersion = currentVersion }: VersionedCaller = {}) => {
  const named = headers[versionHeader]
  if (named === undefined) return apiVersion
  return isApiVersion(named) ? named : currentVersion
}

/** Whether a request names a version that is not known. */
export const hasUnknownVersion = ({ headers }: IncomingMessage): boolean => {
  const named = headers[versionHeader]
  return named !== undefined && !isApiVersion(named)
}

/** The refusal of such a request. */
export const versionUnknown = new RequestInvalid({
  part: "headers",
  path: versionHeader,
  reason: `must be one of ${versionNames.join(", ")}`
})
