export * from "./layerTestCipher.ts"
