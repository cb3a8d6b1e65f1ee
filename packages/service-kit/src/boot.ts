// Exports for commands that start or call services, without the dependencies of services.
export * from "./config/BootError.ts"
export * from "./config/makeFolder.ts"
export * from "./config/secrets.ts"
export * from "./config/settings.ts"
export * from "./crypto/apiKeys.ts"
export * from "./sql/databaseFailure.ts"
export * from "./telemetry/printable.ts"
