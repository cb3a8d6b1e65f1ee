import { Effect } from "effect"
import { Command } from "effect/cli"
import { AdminClient } from "../AdminClient.ts"
import { idArgument, optionalText, organization } from "../inputs.ts"
import { printAnswer, printDone, printPage } from "../output.ts"

const issue = Command.make(
  "issue",
  {
    organization,
    label: optionalText("label", "What the key is for"),
    expiresAt: optionalText("expires-at", "When it expires (ISO 8601)")
  },
  ({ organization, ...key }) =>
    printAnswer(
      "POST",
      `/organizations/${organization}/api-keys`,
      key,
      "This is the only time the key is shown. Send it in the header cv-api-key."
    )
).pipe(
  Command.withDescription("Issue an API key"),
  Command.withExamples([
    { command: "care key issue 3b241101-e2bb-4255-8caf-4136c566a962 --label shop", description: "Issue a key" }
  ])
)

const list = Command.make(
  "list",
  { organization },
  Effect.fnUntraced(function* ({ organization }) {
    const keys = yield* (yield* AdminClient).list(`/organizations/${organization}/api-keys`)
    yield* printPage(keys, "id prefix label lastUsedAt expiresAt revokedAt")
  })
).pipe(Command.withDescription("List the API keys of an organization, without the keys themselves"))

const revoke = Command.make(
  "revoke",
  { key: idArgument("key", "Id of the API key") },
  Effect.fnUntraced(function* ({ key }) {
    yield* (yield* AdminClient).call("DELETE", `/api-keys/${key}`)
    yield* printDone({ id: key }, "Revoked: the key stops working within 5 seconds.")
  })
).pipe(Command.withDescription("Revoke an API key"))

export const key = Command.make("key").pipe(
  Command.withDescription("API keys of organizations"),
  Command.withSubcommands([issue, list, revoke])
)
