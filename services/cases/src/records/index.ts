export { BackOfficeFeature } from "./backOffice/BackOfficeFeature.ts"
export { layerOwnPatients, PatientsFeature } from "./patients/PatientsFeature.ts"
export { ReadingFeature } from "./reading/ReadingFeature.ts"
export { SearchFeature } from "./search/SearchFeature.ts"
