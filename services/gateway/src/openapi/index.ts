export { layerDocs } from "./layerDocs.ts"
