import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { AdminClient } from "../AdminClient.ts"
import { wrongUsage } from "../CommandFailed.ts"
import { argument } from "../inputs.ts"
import { printResource } from "../output.ts"

export const inviteOperator = Command.make(
  "invite",
  {
    email: argument("email", "Email address"),
    name: Flag.String("name").pipe(Flag.withDescription("First and last name, such as 'Ada Byron'"))
  },
  ({ email, name }) => {
    const [, firstName, lastName] = /^\s*(\S.*?)\s+(\S+)\s*$/.exec(name) ?? []
    if (lastName === undefined) {
      return wrongUsage("--name has to be a first and a last name, such as --name 'Ada Byron'.")
    }
    return AdminClient.pipe(
      Effect.flatMap(({ call }) => call("staffAdmin.invite", { body: { email, firstName, lastName } })),
      Effect.flatMap((operator) =>
        printResource(operator, "The operator signs in with a code to this email, and then enrols a passkey.")
      )
    )
  }
).pipe(
  Command.withDescription("Add an operator: a person of the platform"),
  Command.withExamples([
    { command: "care operator invite ada@platform.example.com --name 'Ada Byron'", description: "Add an operator" }
  ])
)
