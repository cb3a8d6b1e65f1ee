export * from "./IdempotencyKeysRepo.ts"
export * from "./makeKeyHashes.ts"
export * from "./Once.ts"
export * from "./onceOperation.ts"
