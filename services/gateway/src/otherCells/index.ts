export { layerOtherCellsApi } from "./layerOtherCellsApi.ts"
