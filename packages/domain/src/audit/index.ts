export * from "./AuditApi.ts"
export * from "./AuditRecord.ts"
export * from "./AuditRecordsApi.ts"
export * from "./auditActions.ts"
