export { ErasureFeature, layerOwnPatients } from "./ErasureFeature.ts"
export { PatientErasures } from "./PatientErasures.ts"
