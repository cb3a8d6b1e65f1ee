import { Schema } from "effect"
import { generalMessage, renamedDob } from "./caseCreation.ts"
import type { VersionChange } from "./VersionChange.ts"

/** The header with the version of a request, and of its answer. */
export const versionHeader = "care-version"

/** A version of the partner API: the date from which it was the current one. */
export const ApiVersion = Schema.Literals(["2026-06-01", "2026-11-01"])
export type ApiVersion = typeof ApiVersion.Type

interface VersionEntry {
  /** What it changed of the version before it. */
  readonly changes: ReadonlyArray<VersionChange>
  /** Since when it is deprecated, and when it ends. The current version has neither. */
  readonly deprecation?: { readonly since: Date; readonly sunset: Date }
}

/** Every version that is served, the oldest first. */
export const apiVersions: Readonly<Record<ApiVersion, VersionEntry>> = {
  "2026-06-01": {
    changes: [],
    deprecation: { since: new Date("2026-11-01T00:00:00Z"), sunset: new Date("2027-11-01T00:00:00Z") }
  },
  "2026-11-01": { changes: [generalMessage, renamedDob] }
}

/** The version of contracts, services and the public document. */
export const currentVersion: ApiVersion = "2026-11-01"

/** The versions in the order of their dates. */
export const versionNames = ApiVersion.literals

export const isApiVersion = Schema.is(ApiVersion)

/** Returns the versions that came after a date. */
export const versionsAfter = (date: string): ReadonlyArray<VersionEntry> =>
  versionNames.filter((name) => name > date).map((name) => apiVersions[name])

const changesAfter = (version: ApiVersion): ReadonlyMap<string, ReadonlyArray<VersionChange>> =>
  Map.groupBy(
    versionsAfter(version).flatMap(({ changes }) => changes),
    ({ operation }) => operation
  )

const changesByVersion = new Map(versionNames.map((version) => [version, changesAfter(version)]))

/** Returns the changes of an operation since a version, the oldest first; undefined if it is the same in the current version. */
export const changesSince = (version: ApiVersion, operation: string): ReadonlyArray<VersionChange> | undefined =>
  changesByVersion.get(version)?.get(operation)
