import { Command } from "effect/cli"
import { audit } from "./commands/audit.ts"
import { completion } from "./commands/completion.ts"
import { event } from "./commands/event.ts"
import { keys } from "./commands/keys.ts"
import { listen } from "./commands/listen.ts"
import { logs } from "./commands/logs.ts"
import { inviteOperator } from "./commands/operator.ts"
import { orgMove } from "./commands/org.ts"
import { reconcile } from "./commands/reconcile.ts"
import { scanKeys } from "./commands/scanKeys.ts"
import { seed } from "./commands/seed.ts"
import { login, logout } from "./commands/session.ts"
import { trigger } from "./commands/trigger.ts"
import { cases } from "./operations/cases.ts"
import { catalogue } from "./operations/catalogue.ts"
import { operationCommand } from "./operations/operationCommand.ts"
import { payments } from "./operations/payments.ts"
import { people } from "./operations/people.ts"
import { platform } from "./operations/platform.ts"
import { Json } from "./output.ts"

/** The commands that call one operation each. */
export const operations = [...people, ...catalogue, ...cases, ...payments, ...platform]

const commandsOf = (isOne: (command: string) => boolean) =>
  operations.filter(({ command }) => isOne(command)).map(operationCommand)

const operationsOf = (noun: string) => commandsOf((command) => command.startsWith(`${noun} `))

const nouns = {
  session: "Your session, and those of staff",
  member: "Members (staff) of organizations",
  user: "Users: patients and staff",
  sso: "Single sign-on: the OpenID provider of an organization's staff",
  patient: "Export or erase the data of patients",
  product: "Products that organizations offer",
  form: "Forms of organizations",
  bundle: "Bundles of products",
  promo: "Promo codes of organizations, and global ones",
  case: "Cases of patients",
  order: "Orders of medication",
  payment: "Payments of cases: show, capture, release and refund them",
  escalation: "Escalations of cases: tasks for the care team",
  webhook: "Webhook endpoints of organizations, and what was sent to them",
  message: "Messages in the local mailbox of development",
  incident: "Incidents: what the status page tells",
  job: "Jobs: background work of the services"
}

const operator = Command.make("operator").pipe(
  Command.withDescription("Operators: the people of the platform"),
  Command.withSubcommands([inviteOperator, ...operationsOf("operator")])
)

const org = Command.make("org").pipe(
  Command.withDescription("Organizations: the partners of the platform"),
  Command.withSubcommands([...operationsOf("org"), orgMove])
)

const key = Command.make("key").pipe(
  Command.withDescription("API keys of organizations"),
  Command.withSubcommands([...operationsOf("key"), scanKeys])
)

/** The command line for operators and the care team, over the admin API, and for developers of partners. */
export const care = Command.make("care").pipe(
  Command.withDescription(
    "Operate the Partner Care API, and receive its events: operators, organizations, keys, people, patients, catalogues, promo codes, cases, payments, escalations, jobs, audit, webhooks"
  ),
  Command.withSubcommands([
    login,
    logout,
    operator,
    org,
    ...commandsOf((command) => !command.includes(" ")),
    ...Object.entries(nouns).map(([noun, description]) =>
      Command.make(noun).pipe(Command.withDescription(description), Command.withSubcommands(operationsOf(noun)))
    ),
    key,
    keys,
    reconcile,
    audit,
    event,
    listen,
    logs,
    seed,
    trigger,
    completion
  ]),
  Command.withGlobalFlags([Json])
)
