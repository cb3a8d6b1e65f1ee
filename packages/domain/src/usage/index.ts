export * from "./Usage.ts"
export * from "./UsageApi.ts"
