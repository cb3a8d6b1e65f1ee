export { layerOwnPatients } from "./OwnPatients.ts"
