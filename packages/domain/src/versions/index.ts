export * from "./apiVersions.ts"
export * from "./transforms.ts"
export type { JsonObject, VersionChange } from "./VersionChange.ts"
