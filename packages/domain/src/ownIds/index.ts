export * from "./OwnIdsApi.ts"
