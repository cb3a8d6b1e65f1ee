export * from "./OwnResetsApi.ts"
export * from "./OwnTestClocksApi.ts"
