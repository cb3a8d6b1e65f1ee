export * from "./ownPatientsApi.ts"
export * from "./PatientErasure.ts"
export * from "./PatientErasureApi.ts"
export * from "./PatientExportApi.ts"
