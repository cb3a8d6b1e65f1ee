export { Members } from "./members/Members.ts"
export { MembersFeature } from "./members/MembersFeature.ts"
export { makeMembersRepo } from "./members/MembersRepo.ts"
export { PersonReplication } from "./PersonReplication.ts"
export { Patients } from "./patients/Patients.ts"
export { Providers } from "./providers/Providers.ts"
export { UserSnapshots } from "./UserSnapshots.ts"
export {
  activeStaff,
  allStaff,
  livingUser,
  livingUsers,
  staffWithOwnSignIn,
  unerasedUser
} from "./users/livingUsers.ts"
export { type EmailMove, type FoundUser, makeUsersRepo, UserRow } from "./users/UsersRepo.ts"
