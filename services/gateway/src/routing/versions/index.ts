export { inCurrentVersion } from "./inCurrentVersion.ts"
export { changelogPath, inVersion } from "./inVersion.ts"
export { hasUnknownVersion, versionOf, versionUnknown } from "./versionOf.ts"
