// What the commands need that start services or talk to them, without what the services run on.
export * from "./config/BootError.ts"
export * from "./config/makeFolder.ts"
export * from "./config/settings.ts"
export * from "./sql/databaseFailure.ts"
export * from "./telemetry/printable.ts"
