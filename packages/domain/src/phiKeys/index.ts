export * from "./ownPhiKeysApi.ts"
export * from "./PhiKey.ts"
export * from "./PhiKeysApi.ts"
