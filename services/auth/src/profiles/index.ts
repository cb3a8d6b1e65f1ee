export { UsersFeature } from "./UsersFeature.ts"
