export * from "./fillDisk.ts"
export * from "./layerAuditedDatabase.ts"
export * from "./layerTestAudit.ts"
