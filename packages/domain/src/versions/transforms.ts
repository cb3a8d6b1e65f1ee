import { type ApiVersion, changesSince } from "./apiVersions.ts"
import type { VersionedBody } from "./VersionChange.ts"

type Transform = (body: VersionedBody) => VersionedBody

/** Returns what makes the body of a request in the current version from one in an older version; undefined if both are the same. */
export const requestTransform = (version: ApiVersion, operation: string): Transform | undefined => {
  const steps = (changesSince(version, operation) ?? []).flatMap(({ request }) => request ?? [])
  return steps.length === 0 ? undefined : (body) => steps.reduce((changed, step) => step(changed), body)
}

/** Returns what makes the body of an answer in an older version from one in the current version; undefined if both are the same. */
export const answerTransform = (version: ApiVersion, operation: string, status: number): Transform | undefined => {
  const steps = (changesSince(version, operation) ?? []).flatMap(({ answers }) => answers?.[status] ?? [])
  return steps.length === 0 ? undefined : (body) => steps.reduceRight((changed, step) => step(changed), body)
}
