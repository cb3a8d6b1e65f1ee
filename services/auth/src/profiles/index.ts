export { profileOf } from "./profileOf.ts"
export { UsersFeature } from "./UsersFeature.ts"
