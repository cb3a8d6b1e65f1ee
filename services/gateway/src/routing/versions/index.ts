export { inCurrentVersion } from "./inCurrentVersion.ts"
export { changelogPath, inVersion } from "./inVersion.ts"
export { versioned } from "./versioned.ts"
export { hasUnknownVersion, versionOf, versionUnknown } from "./versionOf.ts"
