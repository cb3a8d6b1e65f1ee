export { erasedEmail } from "./erasedEmail.ts"
export { livingUser, livingUsers, unerasedUser } from "./livingUsers.ts"
export { type EmailMove, type FoundUser, makeUsersRepo, UserRow } from "./UsersRepo.ts"
