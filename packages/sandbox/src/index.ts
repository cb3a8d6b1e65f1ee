export * from "./EmbeddedPostgres.ts"
export * from "./ports.ts"
export * from "./provision.ts"
