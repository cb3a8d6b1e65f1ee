export * from "./layerTestCipher.ts"
export * from "./layerTestDatabase.ts"
