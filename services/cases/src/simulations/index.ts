export { SimulationsFeature } from "./SimulationsFeature.ts"
