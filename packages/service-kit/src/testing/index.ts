export * from "./layerTestDatabase.ts"
