export * from "./PhiKey.ts"
export * from "./PhiKeysApi.ts"
