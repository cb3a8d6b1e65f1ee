export * from "./apiVersions.ts"
export * from "./transforms.ts"
export type { VersionChange, VersionedBody } from "./VersionChange.ts"
