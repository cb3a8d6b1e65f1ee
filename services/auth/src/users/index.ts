export { UsersFeature } from "./UsersFeature.ts"
export { UserRow } from "./UsersRepo.ts"
