export { Directory } from "./Directory.ts"
