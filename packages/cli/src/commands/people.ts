import { MemberRole } from "@care/domain/auth/Role"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { AdminClient } from "../AdminClient.ts"
import { confirmed, yes } from "../confirmation.ts"
import { idArgument, optionalList, optionalText, organization } from "../inputs.ts"
import { printAnswer, printDone } from "../output.ts"

const add = Command.make(
  "add",
  {
    organization,
    email: Flag.String("email").pipe(Flag.withDescription("Email address")),
    firstName: Flag.String("first-name").pipe(Flag.withDescription("First name")),
    lastName: Flag.String("last-name").pipe(Flag.withDescription("Last name")),
    role: Flag.Literals("role", MemberRole.literals).pipe(Flag.withDescription("Role of the member")),
    phone: optionalText("phone", "Phone number in E.164"),
    title: optionalText("title", "Title, such as Dr."),
    titleSuffix: optionalText("title-suffix", "Suffix of the name, such as MD"),
    npi: optionalText("npi", "National provider identifier"),
    dea: optionalText("dea", "DEA number"),
    licensedStates: optionalList("licensed-states", "US states with a licence, such as CA,NY")
  },
  ({ organization, phone, ...member }) =>
    printAnswer("POST", `/organizations/${organization}/members`, {
      ...member,
      phoneNumber: phone
    })
).pipe(Command.withDescription("Add a member of staff to an organization"))

export const member = Command.make("member").pipe(
  Command.withDescription("Members (staff) of organizations"),
  Command.withSubcommands([add])
)

const remove = Command.make(
  "delete",
  { user: idArgument("user", "Id of the user"), yes },
  Effect.fnUntraced(function* ({ user, yes }) {
    yield* confirmed("A deleted user cannot be restored. Delete the user?", "The user was not deleted", yes)
    yield* (yield* AdminClient).call("DELETE", `/users/${user}`)
    yield* printDone({ id: user }, "Deleted. Cases still show the user as their submitter.")
  })
).pipe(Command.withDescription("Delete a user"))

const resetSignIn = Command.make(
  "reset-sign-in",
  { user: idArgument("user", "Id of the member of staff"), yes },
  Effect.fnUntraced(function* ({ user, yes }) {
    const question = "Their passkeys, recovery codes and sessions end. Reset the sign-in?"
    yield* confirmed(question, "The sign-in was not reset", yes)
    yield* (yield* AdminClient).call("POST", `/users/${user}/reset-sign-in`)
    yield* printDone({ id: user }, "Reset. The member got a message, and enrols a passkey at the next sign-in.")
  })
).pipe(Command.withDescription("Reset the sign-in of a member of staff who has lost their passkeys"))

export const user = Command.make("user").pipe(
  Command.withDescription("Users: patients and staff"),
  Command.withSubcommands([remove, resetSignIn])
)
