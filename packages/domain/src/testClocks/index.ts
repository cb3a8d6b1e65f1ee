export * from "./OwnTestClocksApi.ts"
