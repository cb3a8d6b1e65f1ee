export { layerConsole } from "./layerConsole.ts"
