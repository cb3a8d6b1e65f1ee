import { Command, Flag } from "effect/cli"
import { CommandFailed } from "../gateway.ts"
import { argument, cursor } from "../inputs.ts"
import { printAnswer, printList } from "../output.ts"

const invite = Command.make(
  "invite",
  {
    email: argument("email", "Email address"),
    name: Flag.String("name").pipe(Flag.withDescription("First and last name, such as 'Ada Byron'"))
  },
  ({ email, name }) => {
    const [, firstName, lastName] = /^\s*(\S.*?)\s+(\S+)\s*$/.exec(name) ?? []
    if (lastName === undefined) {
      return new CommandFailed({ message: "--name has to be a first and a last name, such as --name 'Ada Byron'." })
    }
    const note = "The operator signs in with a code to this email, and then enrols a passkey."
    return printAnswer("POST", "/operators", { email, firstName, lastName }, note)
  }
).pipe(
  Command.withDescription("Add an operator: a person of the platform"),
  Command.withExamples([
    { command: "care operator invite ada@platform.example.com --name 'Ada Byron'", description: "Add an operator" }
  ])
)

const list = Command.make("list", { cursor }, ({ cursor }) =>
  printList("/operators", { cursor }, "id email firstName lastName createdAt")
).pipe(Command.withDescription("List the operators"))

export const operator = Command.make("operator").pipe(
  Command.withDescription("Operators: the people of the platform"),
  Command.withSubcommands([invite, list])
)
