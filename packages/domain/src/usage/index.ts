export * from "./ownUsageApi.ts"
export * from "./Usage.ts"
export * from "./UsageApi.ts"
