export * from "./migrationsUrls.ts"
export * from "./runMigrate.ts"
