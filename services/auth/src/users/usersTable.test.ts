import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"

const root = join(import.meta.dirname, "..")

it("only the rooms of users and of people name the table of users in SQL", () => {
  const naming = globSync("**/*.ts", { cwd: root }).filter(
    (file) =>
      !file.endsWith(".test.ts") && /\b(FROM|JOIN|INTO|UPDATE)\s+users\b/.test(readFileSync(join(root, file), "utf8"))
  )
  assert.sameMembers(naming, [
    "users/UsersRepo.ts",
    "users/livingUsers.ts",
    "people/PeopleRepo.ts",
    "people/members/MembersRepo.ts",
    "people/patients/PatientsRepo.ts",
    "people/providers/ProvidersRepo.ts"
  ])
})
